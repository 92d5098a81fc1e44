#!/bin/sh
# launch.sh compile WORDS...      as the compiler would, with what Open MPI wants beside them
# launch.sh run PROGRAM FOLDER    for 1, 2, 4, ... and RANKS ranks, each a run of its own
# launch.sh learn PROGRAM FOLDER  only what RANKS ranks learn in the end
#
# RANKS=4, HOSTS=a,b (mpirun's --host; without it all are here, or where Slurm has room), RING_PATIENCE=30.
set -eu

what=$1
shift
if [ "$what" = compile ]; then
    OMPI_CC=${CC:-cc} exec mpicc "$@"
fi
program=$1 folder=$2

case ${RANKS:=4} in
'' | *[!0-9]* | 0*) echo "RANKS=$RANKS: how many processes? 1 or more, as in RANKS=4." >&2; exit 2 ;;
esac
cores=$(getconf _NPROCESSORS_ONLN)
export OMP_NUM_THREADS="${SLURM_CPUS_PER_TASK:-$((cores > RANKS ? cores / RANKS : 1))}"

# More ranks than cores may be asked for, and as root, too: in a container there is nobody else. Over
# the network ranks talk by TCP, here by memory that they share.
set -- --oversubscribe --bind-to none
[ "$(id -u)" != 0 ] || set -- "$@" --allow-run-as-root
for setting in OMP_NUM_THREADS RING_PATIENCE QUICK STEPS SEED; do
    eval "[ -z \"\${$setting:-}\" ]" || set -- "$@" -x "$setting"
done
if [ -n "${HOSTS:-}" ]; then
    set -- "$@" --host "$HOSTS" --map-by node --mca btl tcp,vader,self
elif [ -z "${SLURM_JOB_ID:-}" ]; then # Slurm starts the ranks, and knows where
    set -- "$@" --mca btl vader,self
fi

[ -t 1 ] || export NO_COLOR=1 # mpirun gives a rank a terminal even where there is none

launch() {
    ranks=$1 phase=$2
    shift 2
    status=0
    mpirun "$@" -n "$ranks" "$program" "$phase" "$folder" </dev/null || status=$?
    [ $status = 0 ] || echo "With $ranks ranks the run ended before its time (status $status)." >&2
    return $status
}

if [ "$what" = run ]; then
    ranks=1
    while [ "$ranks" -lt "$RANKS" ]; do
        launch "$ranks" measure "$@"
        ranks=$((2 * ranks))
    done
    launch "$RANKS" measure "$@"
fi
export OMP_NUM_THREADS=1 # a second thread would want a stack out of the little that there is
# A short sentence fits everywhere.
[ "$RANKS" = 1 ] || [ "${QUICK:-}${STEPS:-}" ] || launch 1 learn "$@"
launch "$RANKS" learn "$@"
