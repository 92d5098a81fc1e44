# make test passes for everybody: as root and as an ordinary user, with every optional program and with none of them,
# in other locales, with another folder for temporary files and with closed files. By name only: there are four
# settings, each takes as long as make test, and the optional programs are installed.
#
# SETTING="1 3" chooses among them. SETTING_SUITES="stubs texts" proves only these suites in each.
. tests/suites/lib.sh

if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null || ! unshare -m true 2>/dev/null; then
    left "make test for everybody: this installs programs and hides them, as root on Debian or Ubuntu"
    exit $failed
fi
user=54321
optional="original-awk gawk busybox tcc clang gdb lldb"
proofs="pandoc weasyprint mpicc mpirun bwrap zip unzip chromium wasm-ld llvm-strip llvm-dwarfdump"
# In a folder that an ordinary user can reach, wherever this clone is.
place=$(mktemp -d)
chmod 755 "$place"
trap 'rm -rf "$place"' EXIT

# in_setting AWK HOW COMMAND...: runs it where awk is that one and HOW is "all" or "none", for what is optional. /usr is
# covered by a layer, so nothing changes for others.
cat >"$tmp/in_setting" <<'SH'
set -e
layer=$1 awk=$2 how=$3 programs=$4
shift 4
mount -t tmpfs none "$layer"
mkdir "$layer/upper" "$layer/work"
mount -t overlay overlay -o "lowerdir=/usr,upperdir=$layer/upper,workdir=$layer/work" /usr
ln -sf "$awk" /usr/bin/awk
for locale in de_DE tr_TR; do
    ! command -v localedef >/dev/null || localedef -i $locale -f UTF-8 /usr/lib/locale/$locale.UTF-8
done
if [ "$how" = none ]; then
    for program in $programs; do
        ! found=$(command -v "$program") || rm -f "$(readlink -f "$found")" "$found" "/usr/bin/$program"-[0-9]*
    done
    rm -rf /usr/lib/*/libopenblas* /usr/lib/python3/dist-packages/torch /usr/bin/apt-get /usr/lib/wasm32-wasi
fi
exec "$@"
SH

# setting NUMBER USER AWK HOW UMASK VARIABLE=VALUE...: proves make test there.
setting() {
    number=$1 who=$2 awk=$3 how=$4 mask=$5
    shift 5
    case " ${SETTING:-1 2 3 4} " in
    *" $number "*) ;;
    *) return ;;
    esac
    here="$place/Lookback für alle $number"
    mkdir "$here" "$here/home" "$here/a tmp" "$place/layer"
    copy_tree "$here/clone"
    (cd "$here/clone" && commit_all)
    [ "$mask" = 022 ] || chmod -R go= "$here"
    chown -R "$who:$who" "$here"
    as=
    [ "$who" = 0 ] || as="setpriv --reuid=$who --regid=$who --clear-groups"
    unshare -m sh "$tmp/in_setting" "$place/layer" "$awk" "$how" "$optional $proofs" $as sh -c '
        cd "$1/clone" && umask $2 && shift 2 && exec env -i PATH=/usr/local/bin:/usr/bin:/bin "$@"' sh \
        "$here" "$mask" HOME="$here/home" "$@" make test SUITES="${SETTING_SUITES-}" >"$tmp/$number" 2>&1 </dev/null
    status=$?
    what="$number: as user $who, $how of the optional programs, awk is $awk, umask $mask, $(echo "$*" | sed "s|$place/||")"
    summary=$(grep '^[0-9]* passed, [0-9]* failed' "$tmp/$number" || echo "status $status")
    if [ $status = 0 ]; then
        ok "$what: $summary"
    else
        fail "$what: $summary"
        grep -A 30 '^FAIL' "$tmp/$number" | sed 's/^/      /' | grep . || tail -n 30 "$tmp/$number"
    fi
    grep '^left' "$tmp/$number" | sed 's/^left /      not proven there:/'
    rm -rf "$here"
    rmdir "$place/layer"
}

run_make tools >"$said" 2>&1
sh common/make/need.sh -o $optional python3-torch libopenblas-dev >"$said" 2>&1
setting 1 0 gawk all 022 LC_ALL=tr_TR.UTF-8 TMPDIR="$place/Lookback für alle 1/a tmp"
setting 2 $user original-awk all 077 LC_ALL=de_DE.UTF-8
setting 3 0 mawk none 077 LC_ALL=C
setting 4 $user mawk none 022 TMPDIR="$place/Lookback für alle 4/a tmp"
exit $failed
