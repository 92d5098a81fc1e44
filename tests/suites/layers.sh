# Each folder of common/ is a layer: its files include headers of their own layer and of those below only.
. tests/suites/lib.sh

layers="nn testing base course explain check diagnose grade tutor web"

# upwards FILE...: prints the includes of headers of a higher layer. Those of nn and testing are named without folder.
upwards() {
    ls common/nn/*.h common/testing/*.h | awk -v layers="$layers" '
        BEGIN { for (n = split(layers, name, " "); n > 0; n--) rank[name[n]] = n }
        FILENAME == "-" { split($0, part, "/"); folder[part[3]] = part[2]; next }
        /^ *# *include "/ {
            split($0, word, "\"")
            split(word[2], to, "/")
            split(FILENAME, from, "/")
            layer = to[1] in rank ? to[1] : folder[word[2]]
            if (rank[layer] > rank[from[2]]) print FILENAME ": " $0
        }' - "$@"
}
find common -name '*.[ch]' | LC_ALL=C sort >"$tmp/files"
upwards $(cat "$tmp/files") >"$tmp/upwards"
prove "no file in common/ includes a header of a higher layer" sh -c "! grep . '$tmp/upwards'"
prove "each folder with C in common/ is a layer" [ -z \
    "$(cut -d / -f 2 "$tmp/files" | sort -u | grep -vxF "$(echo "$layers" | tr ' ' '\n')")" ]
mkdir -p "$tmp/common/base"
echo '#include "tutor/words.h"' >"$tmp/common/base/wrong.c"
ln -s "$PWD/common/nn" "$PWD/common/testing" "$tmp/common/"
prove "such an include would be found" [ -n "$(cd "$tmp" && upwards common/base/wrong.c)" ]

# Only child.c starts processes. A check runs what it needs through child_run() or the runner that its settings
# name, and so knows neither the processes nor the box.
calls='fork|vfork|exec(l|le|lp|v|ve|vp)|posix_spawnp?|system|popen|alarm|setitimer|signal|sigaction|kill|wait(pid|3|4)?'
goes_past() { # FOLDER...
    find "$@" -name '*.[ch]' -exec awk -v calls="(^|[^_A-Za-z0-9])($calls) *[(]" '
        { gsub(/"([^"\\]|\\.)*"/, "\"\"") }
        $0 ~ calls { print FILENAME ": " $0 }' {} +
}
knows_box() { # FOLDER...
    find "$@" -name '*.[ch]' -exec grep -nE 'settings(->|[.])(base|box)|bwrap|LOOKBACK_(BASE|BOX)|box[.]sh' {} +
}
upper="common/course common/explain common/check common/diagnose"
prove "course, explain, check, diagnose and tutor start no process and set no alarm" [ -z \
    "$(goes_past $upper common/tutor)" ]
prove "... and ask nothing of the box" [ -z "$(knows_box $upper)" ]
printf '%s\n' 'int a = fork();' 'settings->base' >"$tmp/common/base/wrong.c"
prove "either would be found" [ -n "$(goes_past "$tmp/common/base")" -a -n "$(knows_box "$tmp/common/base")" ]

# Sentences may be reworded: no code compares them, or searches in them.
compares='(strn?(case)?cmp|strstr|strpbrk|(starts|ends)_with|has_words?|sscanf) *[(][^;?]*(->|[.])(says|broke)([^_A-Za-z0-9]|$)'
reads_sentences() { # FOLDER
    find "$1" -name '*.[ch]' -exec awk -v compares="$compares" '
        { gsub(/"([^"\\]|\\.)*"/, "\"\"") }
        $0 ~ compares { print FILENAME ": " $0 }' {} +
}
prove "no sentence of a slip, and none that says what broke, is compared or searched" [ -z "$(reads_sentences common)" ]
echo 'if (strcmp(a->says, b->says) == 0)' >"$tmp/common/base/wrong.c"
prove "such a comparison would be found" [ -n "$(reads_sentences "$tmp/common/base")" ]
exit $failed
