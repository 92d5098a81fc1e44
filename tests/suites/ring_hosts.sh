# Two hosts for lesson 15, as far as one machine can be two: each has a network and a name of its own. Root
# alone can have that, and it is run by name.
. tests/suites/lib.sh

milestone 15-ring
if [ "$(id -u)" != 0 ] || ! command -v ip >/dev/null || ! command -v mpirun >/dev/null; then
    ok "two hosts want root, ip and Open MPI"
    exit
fi
forget() {
    ip netns del lookback-a 2>/dev/null
    ip netns del lookback-b 2>/dev/null
}
forget
trap forget EXIT
ip netns add lookback-a && ip netns add lookback-b &&
    ip link add host-a netns lookback-a type veth peer name host-b netns lookback-b
for host in a:1 b:2; do
    ip -n "lookback-${host%:*}" addr add "10.77.0.${host#*:}/24" dev "host-${host%:*}"
    ip -n "lookback-${host%:*}" link set "host-${host%:*}" up
    ip -n "lookback-${host%:*}" link set lo up
done
# In place of ssh.
cat >"$tmp/agent" <<'END'
#!/bin/sh
shift
exec ip netns exec lookback-b unshare --uts sh -c "hostname host-b; $*"
END
chmod +x "$tmp/agent"
export NO_COLOR=1 OMPI_MCA_plm_rsh_agent="$tmp/agent" OMPI_MCA_btl_tcp_if_include=10.77.0.0/24 \
    OMPI_MCA_oob_tcp_if_include=10.77.0.0/24
run_make run-15 FROM=$from RANKS=1 STEPS=1 >"$said" 2>&1 # compiled before
prove "four ranks on two hosts are as one" ip netns exec lookback-a unshare --uts sh -c "hostname host-a
    ${MAKE:-make} run-15 FROM=$from RANKS=4 STEPS=2 HOSTS=host-a,10.77.0.2"
prove "... to a millionth, and two" awk 'NR > 1 { rows++; if ($14 > 1e-6 || $15 > 2e-6) exit 1 } END { exit rows != 3 }' \
    "$folder/run-quick/ranks.dat"
cat "$folder/run-quick/result.txt"
exit $failed
