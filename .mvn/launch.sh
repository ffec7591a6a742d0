# What ./demo, ./tck and ./bench have in common: they find a JDK, and build what they run. Sourced by them, with $home and $command set.

files_per_dot=25
# Maven's profiles to build with.
profiles=demo

# What is built: a module, and those that it needs, up to a phase of Maven.
build_of() {
    module=$1
    phase=$2
    # Where the Maven profile "demo" builds.
    target=$home/$module/target/demo
    stamp=$target/built
    log=$target/build.log
}
build_of examples process-classes

fail() {
    echo "$command: $*" >&2
    exit 3
}

# Here and not only in the program: help should not have to wait for a build.
help_if_asked_for() {
    text=$1
    shift
    for word in "$@"; do
        case $word in
            --help | -h)
                cat "$home/$text"
                exit 0
                ;;
        esac
    done
}

find_java() {
    if [ -n "${JAVA_HOME:-}" ]; then
        java=$JAVA_HOME/bin/java
        [ -x "$java" ] || fail "JAVA_HOME is $JAVA_HOME, but there is no bin/java in it. Set it to a JDK 17 or newer."
    else
        java=$(command -v java) || fail "no java on the PATH. Install a JDK 17 or newer, or set JAVA_HOME to one."
    fi
    version=$("$java" -version 2>&1 | sed -n 's/.*version "\([^"]*\)".*/\1/p' | head -n 1)
    major=$(echo "$version" | sed 's/^1\.//; s/[^0-9].*//')
    [ -n "$major" ] || fail "$java does not tell its version."
    [ "$major" -ge 17 ] || fail "$java is version $version; a JDK 17 or newer is needed. Set JAVA_HOME to one."
}

find_build_tools() {
    case $java in
        */bin/java) javac=${java%java}javac ;;
        *) javac= ;;
    esac
    [ -x "$javac" ] || command -v javac >/dev/null || fail "there is no javac beside $java: a JDK is needed, not only a JRE."
    maven=$(command -v mvn) || fail "no mvn on the PATH. Install Maven 3.8.6 or newer."
}

# Folders count as well: their time changes when a file in them is removed.
up_to_date() {
    [ -f "$stamp" ] && libraries_are_there || return 1
    # A build for MariaDB will do for all others.
    [ "$profiles" = demo ] || [ "$(cat "$stamp")" = "$profiles" ] || return 1
    changed=$(find "$home/pom.xml" "$home"/*/pom.xml "$home"/*/src/main $(test_sources) -newer "$stamp" 2>/dev/null | head -n 1)
    [ -z "$changed" ]
}

test_sources() {
    [ "$phase" != test-compile ] || echo "$home/$module/src/test"
}

# They are in Maven's local repository, which somebody may have emptied.
libraries_are_there() (
    IFS=:
    for library in $(cat "$target/class-path"); do
        [ -e "$library" ] || exit 1
    done
)

build() {
    rm -rf "$target"
    mkdir -p "$target" || fail "cannot write to $target."
    # Stamped with the time before the build: what is edited while it runs is built the next time.
    echo "$profiles" >"$target/started"
    echo "Building the $command. The first time Maven downloads about 150 MB, which takes a minute or more;" >&2
    [ "$profiles" = demo ] || echo "the MariaDB server is 150 MB more;" >&2
    echo "each dot stands for $files_per_dot files." >&2
    {
        cd "$home"
        "$maven" -B -Dstyle.color=never -Ddemo -P "$profiles" -P quick -pl "$module" -am "$phase" 2>&1 && mv "$target/started" "$stamp"
    } | show_progress
    [ -f "$stamp" ] || report_failure
}

# One line for each module, a dot for each few files; everything else goes into the log.
show_progress() {
    files=0
    while IFS= read -r line; do
        printf '%s\n' "$line"
        case $line in
            *"Downloaded from "*)
                files=$((files + 1))
                [ $((files % files_per_dot)) -ne 0 ] || printf . >&2
                ;;
            *"] Building "*" ["*/*"]")
                module=${line#*"] Building "}
                printf '\n  %s ' "${module%% [0-9]*}" >&2
                ;;
        esac
    done >"$log"
    printf '\n' >&2
}

# Some mvn send escape sequences, whatever they are told.
log_without_colours() {
    sed "s/$(printf '\033')\[[0-9;]*m//g" "$log"
}

report_failure() {
    errors=$(log_without_colours | grep '^\[ERROR\]' | head -n 40) || true
    # A Maven that could not even start says so in its own way.
    [ -n "$errors" ] || errors=$(log_without_colours | tail -n 20)
    printf '%s\n' "$errors" >&2
    fail "the build failed, see above; all of its output is in $log"
}

build_if_needed() {
    find_java
    if ! up_to_date; then
        find_build_tools
        build
    fi
}
