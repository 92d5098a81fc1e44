#!/bin/sh
# need.sh PROGRAM...: makes sure that programs are installed, for the command that needs them.
# need.sh -o PROGRAM...: optional ones: installed where that needs no questions, and else left out.
#
# As root with apt, installs what is missing, and waits for another apt that is at work. Otherwise prints
# the one command for this system.
set -u

# What the pages of make play take.
wasm="clang wasm-ld llvm-strip llvm-dwarfdump llvm-readobj wasi-libc libclang-rt-dev-wasm32"
optional=no
if [ "${1:-}" = -o ]; then
    optional=yes
    shift
fi

# A package that has no program is found by one of its files.
is_there() {
    case $1 in
    wasi-libc) [ -e /usr/include/wasm32-wasi ] || [ -e /usr/share/wasi-sysroot ] ;;
    libclang-rt-dev-wasm32) ls "$(clang -print-resource-dir)"/lib/wasi/*builtins-wasm32.a ;;
    *) command -v "$1" ;;
    esac >/dev/null 2>&1
}
missing=
for program in $(for each; do [ "$each" = wasm ] && echo "$wasm" || echo "$each"; done); do
    is_there "$program" || missing="$missing $program"
done
[ -n "$missing" ] || exit 0

# The package that holds a program: only where its name is another one.
package() {
    case $1/$2 in
    apt-get/gnuplot) echo gnuplot-nox ;;
    */bwrap) echo bubblewrap ;;
    */wasm-ld) echo lld ;;
    */llvm-*) echo llvm ;;
    apt-get/mpicc) echo libopenmpi-dev ;;
    apt-get/mpirun) echo openmpi-bin ;;
    brew/mpicc | brew/mpirun) echo open-mpi ;;
    dnf/mpicc) echo openmpi-devel ;;
    */mpicc | */mpirun) echo openmpi ;;
    *) echo "$2" ;;
    esac
}

packages() {
    for program in $missing; do
        printf ' %s' "$(package "$1" "$program")"
    done
}

install_as_root() {
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=300 \
        $(packages apt-get) </dev/null >"$log" 2>&1
}

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    log=$(mktemp)
    trap 'rm -f "$log"' EXIT
    echo "Installing$(packages apt-get) ..." >&2
    install_as_root || { apt-get update -qq >/dev/null 2>&1 && install_as_root; } && exit 0
    # One that this system does not know is no reason to do without the others.
    if [ $optional = yes ]; then
        for missing in $missing; do
            install_as_root
        done
        exit 0
    fi
    echo "Cannot install$(packages apt-get): $(grep '^E:' "$log" | head -1)" >&2
    exit 1
fi
[ $optional = no ] || exit 0

for manager in apt-get dnf pacman brew; do
    command -v "$manager" >/dev/null || continue
    case $manager in
    apt-get | dnf) how="sudo $manager install$(packages $manager)" ;;
    pacman) how="sudo pacman -S$(packages $manager)" ;;
    brew) how="brew install$(packages $manager)" ;;
    esac
    echo "Missing:$missing. Install with: $how" >&2
    exit 1
done
echo "Missing:$missing. Install with your system's package manager." >&2
exit 1
