# What was handed in is compiled, linked, run and unpacked in boxes that nothing gets out of; and where
# no box can be had, one line says so.
. tests/suites/lib.sh

box=common/grade/box.sh
top=$PWD
run() { # PROGRAM: as who grades starts it
    sh $box run "$1" 3</dev/null 4>/dev/null 5>/dev/null </dev/null
}

# --- where there can be none

fake=$(mktemp -d) # nobody, who starts boxes, may have to read it, wherever the clone is
trap 'rm -rf "$fake"' EXIT
chmod 755 "$fake"
cat >"$fake/bwrap" <<'SH'
#!/bin/sh
echo "bwrap: No permissions to create new namespace, likely because the kernel does not allow it" >&2
exit 1
SH
chmod +x "$fake/bwrap"
one_line() { # STATUS WORDS...: of box.sh probe
    want=$1
    shift
    "$@" sh $box probe >"$said" 2>&1
    status=$?
    cat "$said"
    [ $status = "$want" ] && [ "$(wc -l <"$said")" = 1 ]
}
prove "where no box can be made, grading does not begin: status 2 and one line" one_line 2 env PATH="$fake:$PATH"
prove "... which tells why, or what to do" grep -q "^bubblewrap cannot make a box here\. .*\(namespace\|sysctl\|container\)" "$said"
mkdir -p "$tmp/none"
for tool in sh cat uname dirname id grep readlink rm mkdir sed; do
    ln -sf "$(command -v $tool)" "$tmp/none/"
done
printf '#!/bin/sh\necho 1000\n' >"$tmp/none/id.own" && chmod +x "$tmp/none/id.own" && mv "$tmp/none/id.own" "$tmp/none/id"
prove "without bubblewrap, too" one_line 2 env PATH="$tmp/none"
prove "... and it is asked for" grep -q 'bwrap' "$said"
mkdir -p "$tmp/forbidden"
if command -v bwrap >/dev/null && unshare -Ur sh -c 'echo 0 >/proc/sys/user/max_user_namespaces' 2>/dev/null; then
    prove "where the system forbids such worlds, the setting is named" one_line 2 \
        unshare -Ur sh -c 'echo 0 >/proc/sys/user/max_user_namespaces && exec "$@"' sh
    prove "... by the command that allows them" says "sudo sysctl user.max_user_namespaces=" "$said"
fi

if ! sh $box probe >"$said" 2>&1; then
    prove "no box can be made on this system, and one line says why" [ "$(wc -l <"$said")" = 1 ]
    cat "$said"
    exit $failed
fi
ok "boxes can be made here"

# --- what a box sees

# It counts the files that it sees in each folder that is named.
cat >"$tmp/sees.c" <<'C'
#include <dirent.h>
#include <stdio.h>
int main(void) {
    static const char *const folders[] = {FOLDERS};
    for (unsigned i = 0; i < sizeof folders / sizeof *folders; i++) {
        DIR *folder = opendir(folders[i]);
        int files = 0;
        while (folder && readdir(folder))
            files++;
        printf("%s %d\n", folders[i], files > 2);
    }
    return 0;
}
C
sees() { # FOLDER...: prints those that have files, as a program in a box sees it
    quoted=$(printf ', "%s"' "$@")
    $LOOKBACK_CC "-DFOLDERS=${quoted#,}" "$tmp/sees.c" -o "$tmp/sees" && run "$tmp/sees" | sed -n 's/ 1$//p'
}
home=$(cd && pwd)
prove "a program in a box sees none of the folders in which a course may lie" [ -z \
    "$(sees "$top" "$home" /home /root /opt /srv /mnt /media /var /tmp /etc /usr/share /usr/src /usr/local/src /usr/games)" ]
seen=$(ls -d /usr/lib/gcc /usr/lib/llvm* /usr/include 2>/dev/null | tail -n 1)
prove "... only programs, headers and libraries" [ "$(sees "$seen")" = "$seen" ]
LOOKBACK_HIDE="/nowhere
$seen"
export LOOKBACK_HIDE
prove "... and not a class that lies among these" [ -z "$(sees "$seen")" ]
unset LOOKBACK_HIDE

# --- compiling

flags="-std=c17 -g -Icommon -Icommon/nn -Icommon/testing -Ilessons/01-softmax"
compile() { # WHAT IT IS: the file on standard input
    cat >"$tmp/given.c"
    rm -f "$tmp/given.o"
    sh $box compile "$tmp/given.c" "$tmp/given.o" $flags >"$said" 2>&1
}
compile <solutions/01-softmax/softmax.c
prove "a lesson compiles in a box, without a word" sh -c "[ -f $tmp/given.o ] && [ ! -s $said ]"
echo 'int x = ;' | compile
prove "an error stands where it is" grep -q "^$tmp/given.c:1:9: error" "$said"
for file in "$top/solutions/01-softmax/softmax.c" ../../solutions/01-softmax/softmax.c \
    ../../tests/01-softmax/test_softmax.c /etc/passwd /proc/self/environ /proc/self/fd/4 /dev/stdin /dev/zero; do
    echo "#include \"$file\"" | compile
    prove "nothing can be included from $(echo "$file" | sed "s|$top|the clone|")" \
        sh -c "[ ! -f $tmp/given.o ] && grep -q 'No such file\|not permitted\|file not found' $said && ! grep -q 'root:\|BEGIN SOL\|PATH=' $said"
done
compile <<'C'
__asm__(".incbin \"/etc/passwd\"\n.incbin \"/dev/zero\"\n.incbin \"solutions/01-softmax/softmax.c\"");
C
prove "... nor by the assembler" sh -c "[ ! -f $tmp/given.o ] &&
    for file in /etc/passwd /dev/zero solutions/01-softmax/softmax.c; do
        grep -q \"Error: file not found: \$file\|Could not find incbin file '\$file'\" $said || exit 1
    done"
export LOOKBACK_COMPILE_SECONDS=1
compile <<'C'
#define A(x) int x##1, x##2, x##3, x##4, x##5, x##6, x##7, x##8;
#define B(x) A(x##1) A(x##2) A(x##3) A(x##4) A(x##5) A(x##6) A(x##7) A(x##8) A(x##9)
#define C(x) B(x##1) B(x##2) B(x##3) B(x##4) B(x##5) B(x##6) B(x##7) B(x##8) B(x##9)
#define D(x) C(x##1) C(x##2) C(x##3) C(x##4) C(x##5) C(x##6) C(x##7) C(x##8) C(x##9)
#define E(x) D(x##1) D(x##2) D(x##3) D(x##4) D(x##5) D(x##6) D(x##7) D(x##8) D(x##9)
#define F(x) E(x##1) E(x##2) E(x##3) E(x##4) E(x##5) E(x##6) E(x##7) E(x##8) E(x##9)
F(a)
C
prove "a text that keeps the compiler busy for ever is an error of its own" sh -c \
    "[ ! -f $tmp/given.o ] && grep -q 'given.c:1:1: error: ' $said"
unset LOOKBACK_COMPILE_SECONDS
echo 'double filled[1 << 27] = {1.0};' | compile
prove "an object without end is none" sh -c "[ ! -e $tmp/given.o ] && [ ! -e $tmp/given.o.part ]"

# --- linking and running

given() { # links what is on standard input, alone
    compile && sh $box link "$tmp/given.o" "$tmp/given" -pthread >"$said" 2>&1
}
{ echo "#define LOOKBACK_ROOT \"$top\""; cat tests/grade/inside.c; } | given
SECRET=canary run "$tmp/given" >"$said" 2>&1
prove "a program in its box can do nothing to others" diff "$said" - <<'TEXT'
all tried
TEXT
prove "the same program does nothing where it is in no box" sh -c "$tmp/given | grep -q 'nothing is tried'"
echo 'int main(void) { return 7; }' | given
run "$tmp/given"
prove "it ends as it ends" [ $? = 7 ]
cp "$tmp/given.o" "$tmp/other.o"
refuse "two programs in one do not link" "multiple definition" sh $box link "$tmp/given.o" "$tmp/two" "$tmp/other.o"
prove "... and leave nothing" sh -c "[ ! -e $tmp/two ] && [ ! -e $tmp/two.part ]"
refuse "a box that does not start is our failure, and not theirs" "bwrap: No permissions" \
    env PATH="$fake:$PATH" sh $box link "$tmp/given.o" "$tmp/given"
env PATH="$fake:$PATH" sh $box compile "$tmp/given.c" "$tmp/given.o" >"$said" 2>&1
prove "... which its status tells" [ $? = 3 ]

# --- as another user, in another place

elsewhere=$(mktemp -d) # for root alone
trap 'rm -rf "$fake" "$elsewhere"' EXIT
mkdir "$elsewhere/lessons"
cp -R common "$elsewhere/"
cp -R lessons/01-softmax "$elsewhere/lessons/"
prove "a clone in a folder closed to others is no hindrance" sh "$elsewhere/$box" probe
if [ "$(id -u)" = 0 ]; then
    chmod -R a+rX "$elsewhere"
    chown -R 65534 "$elsewhere"
    prove "nor is it to be an ordinary user" \
        setpriv --reuid=65534 --regid=65534 --clear-groups sh "$elsewhere/$box" probe
fi
refuse "what was never made is asked for" "box.sh probe" sh -c 'rm -r "$1/build" && sh "$1/$2" run x' sh "$elsewhere" "$box"

# --- archives

things=$tmp/things
unpacked=$tmp/unpacked
mkdir -p "$things/01-softmax" "$things/deep/er/02-dot-product"
echo one >"$things/01-softmax/softmax.c"
echo two >"$things/deep/er/02-dot-product/dot_product.c"
strange=" -a \"strange\" näme
of two lines"
printf x >"$things/$strange"
ln -s /etc/passwd "$things/link"
ln -s .. "$things/up"
mkfifo "$things/pipe"
# A file of mode 000 can only be read by root: by another user as root of a user namespace.
closed=$things/deep/er/02-dot-product/dot_product.c
chmod 000 "$closed"
as_root=
[ -r "$closed" ] || as_root="unshare --map-root-user"
$as_root cat "$closed" >/dev/null 2>&1 || {
    left "archives with a file that nobody may read: there are no user namespaces for this user"
    as_root=
    chmod 400 "$closed"
}
unpack() { # ARCHIVE
    rm -rf "$unpacked"
    mkdir "$unpacked"
    sh $box unpack "$1" "$unpacked"
}
holds() {
    diff -r "$things/01-softmax" "$unpacked/01-softmax" && [ "$(cat "$unpacked/deep/er/02-dot-product/dot_product.c")" = two ] &&
        [ ! -e "$unpacked/link" ] && [ ! -e "$unpacked/up" ]
}
for kind in tar tar.gz tar.xz; do
    $as_root tar caf "$tmp/a.$kind" -C "$things" .
    unpack "$tmp/a.$kind" >"$said" 2>&1
    prove "a .$kind keeps its names" [ -f "$unpacked/$strange" ]
    prove "a .$kind is unpacked, and its links lead nowhere" holds
done
if command -v unzip >/dev/null; then
    printf 'PK\003\004cut' >"$tmp/cut.zip"
    refuse "a .zip that was cut off is called that" "it is not a complete archive" unpack "$tmp/cut.zip"
fi
if command -v zip >/dev/null && command -v unzip >/dev/null; then
    (cd "$things" && rm pipe && $as_root zip -qry "$tmp/a.zip" .)
    unpack "$tmp/a.zip" >"$said" 2>&1
    prove "a .zip is, too" holds
    (cd "$tmp" && printf x >../out_of_it && zip -q up.zip ../out_of_it && rm ../out_of_it)
    unpack "$tmp/up.zip" >"$said" 2>&1
    prove "... and what it would put elsewhere is not put there" [ ! -e "$tmp/../out_of_it" ]
fi
(cd "$tmp" && printf x >absolute && tar cPf up.tar "$tmp/absolute" "unpacked/../absolute" && rm absolute)
unpack "$tmp/up.tar" >"$said" 2>&1
prove "a path that leaves the folder does not" [ ! -e "$tmp/absolute" ]
mkdir "$tmp/l" && ln -s "$tmp" "$tmp/l/x" && tar cf "$tmp/through.tar" -C "$tmp/l" x && rm "$tmp/l/x" && mkdir "$tmp/l/x" &&
    touch "$tmp/l/x/through" && tar rf "$tmp/through.tar" -C "$tmp/l" x/through
unpack "$tmp/through.tar" >"$said" 2>&1
prove "nor one through a link" [ ! -e "$tmp/through" ]
(cd "$tmp" && head -c 70000000 /dev/zero >zeros && tar czf bomb.tar.gz zeros && rm zeros)
refuse "an archive of too many bytes is refused" "it contains more than 64 MB" unpack "$tmp/bomb.tar.gz"
mkdir "$tmp/many" && (cd "$tmp/many" && seq 2100 | xargs touch) && tar cf "$tmp/many.tar" -C "$tmp" many
refuse "... of too many files, too" "more than 2000 files" unpack "$tmp/many.tar"
mkdir "$tmp/clone" && mv "$tmp/many" "$tmp/clone/.git" && cp -R "$things/01-softmax" "$tmp/clone" &&
    tar cf "$tmp/clone.tar" -C "$tmp" clone
prove "... but those of a .git do not count" sh -c "sh $box unpack '$tmp/clone.tar' '$unpacked' &&
    [ -f '$unpacked/clone/01-softmax/softmax.c' ] && [ ! -e '$unpacked/clone/.git' ]"
if command -v zip >/dev/null && command -v unzip >/dev/null; then
    (cd "$tmp" && zip -qr clone.zip clone)
    unpack "$tmp/clone.zip" >"$said" 2>&1
    prove "... in a .zip, too" sh -c "[ -f '$unpacked/clone/01-softmax/softmax.c' ] && [ ! -e '$unpacked/clone/.git' ]"
fi
mkdir -p "$tmp/packed/deep" && (cd "$things" && tar czf "$tmp/packed/inner.tgz" 01-softmax) &&
    (cd "$tmp/packed" && echo broken >deep/broken.tar && tar cf deep/twice.tar inner.tgz && tar cf "$tmp/packed.tar" .)
unpack "$tmp/packed.tar" >"$said" 2>&1
prove "an archive in an archive is unpacked in its place" diff -r "$things/01-softmax" "$unpacked/inner/01-softmax"
prove "... a third one in these is not" [ -f "$unpacked/deep/twice/inner.tgz" ]
prove "... and what is none is said" says "broken.tar: it cannot be unpacked: tar: This does not look" "$said"
if command -v python3 >/dev/null && command -v unzip >/dev/null; then
    python3 - "$tmp" <<'PY'
import sys, zipfile
def pack(name, system, method, files):
    archive = zipfile.ZipFile(sys.argv[1] + "/" + name, "w")
    for path in files:
        entry = zipfile.ZipInfo()
        entry.filename, entry.create_system, entry.compress_type = path, system, method
        archive.writestr(entry, "one\n")
    archive.close()
pack("windows.zip", 0, zipfile.ZIP_STORED, ["01-softmax\\softmax.c"])
pack("lzma.zip", 3, zipfile.ZIP_LZMA, ["a"])
pack("many.zip", 3, zipfile.ZIP_STORED, map(str, range(2100)))
pack("long.zip", 3, zipfile.ZIP_STORED, ["a" * 300])
PY
    # What a box that was taken over could send out.
    python3 - "$tmp" <<'PY'
import sys, tarfile
folder = sys.argv[1]
archive = tarfile.open(folder + "/sent.tar", "w")
def add(name, kind=tarfile.REGTYPE, link=""):
    entry = tarfile.TarInfo(name)
    entry.type, entry.linkname, entry.mode = kind, link, 0o4755
    archive.addfile(entry)
for name in ["good", "../up", folder + "/absolute"]:
    add(name)
for name, link in [("x", folder), ("y", "..")]:
    add(name, tarfile.SYMTYPE, link)
    add(name + "/through")
add("hard", tarfile.LNKTYPE, "../../../../../../etc/passwd")
archive.close()
PY
    sed -n '/^carried() {/,/^}/p' $box >"$tmp/carried.sh"
    echo 'carried "$1/sent.tar" "$1/sent"' >>"$tmp/carried.sh"
    sh "$tmp/carried.sh" "$tmp" >"$said" 2>&1
    prove "what a box sends stays in its folder, leads nowhere, and has no rights" sh -c "[ -f $tmp/sent/good ] &&
        [ ! -e $tmp/up ] && [ ! -e $tmp/absolute ] && [ ! -e $tmp/through ] && [ ! -e $tmp/sent/hard ] &&
        [ ! -e $tmp/sent/x ] && [ ! -e $tmp/sent/y ] && [ -z \"\$(find $tmp/sent -perm -4000)\" ]"
    unpack "$tmp/windows.zip" >"$said" 2>&1
    prove "a .zip with the backslashes of Windows is taken" diff -r "$things/01-softmax" "$unpacked/01-softmax"
    while read -r name words; do
        refuse "a .zip ($name) is refused for the right reason" "$words" unpack "$tmp/$name.zip"
    done <<'TEXT'
lzma unzip does not know this kind of compression
many it contains more than 2000 files
long a name in it is longer than 255 bytes
TEXT
fi
if command -v zip >/dev/null && command -v unzip >/dev/null; then
    (cd "$things" && zip -qrP secret "$tmp/locked.zip" 01-softmax)
    refuse "an encrypted one, too" "it is encrypted" unpack "$tmp/locked.zip"
fi
head -c 200 "$tmp/a.tar.gz" >"$tmp/cut.tar.gz"
refuse "... and one that was cut off" "it is not a complete archive" unpack "$tmp/cut.tar.gz"
echo "no archive" >"$tmp/none.zip"
refuse "... or is none" "not look like a tar" unpack "$tmp/none.zip"

# --- without boxes

UNSAFE=1
export UNSAFE
prove "UNSAFE=1 needs no bubblewrap" env PATH="$fake:$PATH" sh $box probe
compile <solutions/01-softmax/softmax.c
prove "... compiles" [ -f "$tmp/given.o" ]
echo 'int main(void) { return 7; }' | given
run "$tmp/given"
prove "... runs, within limits" [ $? = 7 ]
unpack "$tmp/a.tar.gz" >"$said" 2>&1
prove "... and unpacks" holds
exit $failed
