# copies.sh, read by suites and measurements that work in a copy of the tree.

# copy_tree FOLDER [PATHSPEC...]: the tracked files as they are here, all or those, and the fetched Unity, in a
# folder of their own.
copy_tree() {
    copied=$1
    shift
    mkdir -p "$copied/build/fetched"
    git ls-files -z -- "$@" | xargs -0 tar cf - | (cd "$copied" && tar xf -)
    cp -Rp build/fetched/unity "$copied/build/fetched/" # as old as it is: objects hang on it
}

# In such a folder: makes it a repository, all of it committed.
commit_all() {
    git init -q . && git add -A && git -c user.name=x -c user.email=x@localhost commit -qm "Start"
}
