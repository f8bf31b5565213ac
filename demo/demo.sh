#!/bin/sh
# A home in a temporary folder, three weeks of conversations, eight questions. Offline.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export MEMORANDA_HOME="$folder/home"

run() {
    printf '\n\033[1m$ memoranda'
    for word in "$@"; do
        case $word in
            *' '*) printf ' "%s"' "$word" ;;
            *) printf ' %s' "$word" ;;
        esac
    done
    printf '\033[0m\n'
    memoranda "$@"
}

run init
run import "$here/homelab.jsonl"
run remember "Mara is allergic to walnuts" --kind constraint --topic health --about Mara --pin
run remember "Portal releases go out on Tuesdays and Thursdays" --kind decision --topic releases
run recall "Why did we choose Caddy as the reverse proxy?" -k 2
run recall "worker.py:142" -k 2
run recall "What is the address of vps-fra-1?" -k 2
run recall "On which days do we release the portal?" -k 3
run recall "止损单" -k 2
run recall "Who brings the backup disk from Ghent?" -k 2
run recall "ERR_EXPORT_TIMEOUT" -k 2
run recall "walnuts" -k 2
run verify "Portal releases go out on Mondays and Thursdays"
run status
