#!/bin/sh
# launch.sh compile WORDS...      calls the compiler with the options that Open MPI needs
# launch.sh run PROGRAM FOLDER    measures with 1, 2, 4, ... and RANKS ranks, then trains
# launch.sh learn PROGRAM FOLDER  only trains, with RANKS ranks
#
# RANKS=4, HOSTS=a,b (mpirun's --host, otherwise this machine or those that Slurm assigns), RING_PATIENCE=30.
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

# More ranks than cores are allowed, and so is root, who is the only user in many containers. Ranks on
# several machines use TCP, ranks on this machine use shared memory.
set -- --oversubscribe --bind-to none
[ "$(id -u)" != 0 ] || set -- "$@" --allow-run-as-root
for setting in OMP_NUM_THREADS RING_PATIENCE QUICK STEPS SEED; do
    eval "[ -z \"\${$setting:-}\" ]" || set -- "$@" -x "$setting"
done
if [ -n "${HOSTS:-}" ]; then
    set -- "$@" --host "$HOSTS" --map-by node --mca btl tcp,vader,self
elif [ -z "${SLURM_JOB_ID:-}" ]; then # Slurm starts the ranks and chooses the machines
    set -- "$@" --mca btl vader,self
fi

[ -t 1 ] || export NO_COLOR=1 # mpirun gives each rank a terminal even if there is none

launch() {
    ranks=$1 phase=$2
    shift 2
    status=0
    mpirun "$@" -n "$ranks" "$program" "$phase" "$folder" </dev/null || status=$?
    [ $status = 0 ] || echo "With $ranks ranks the run ended too early (status $status)." >&2
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
export OMP_NUM_THREADS=1 # a second thread would need a part of the little memory for its stack
# In short runs one rank has enough memory, so it is left out.
[ "$RANKS" = 1 ] || [ "${QUICK:-}${STEPS:-}" ] || launch 1 learn "$@"
launch "$RANKS" learn "$@"
