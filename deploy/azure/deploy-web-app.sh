#!/usr/bin/env bash
# Builds, packages, deploys and restarts Postroom on an Azure Web App (Linux, Node), and waits until it is healthy.
#   deploy/azure/deploy-web-app.sh --group GROUP --app APP [--package postroom-0.1.0.tgz] [--packages "bullmq ioredis"] [--url URL]
# Needs az (signed in), npm and zip. The settings of the app are its application settings (docs/settings.md).
set -euo pipefail

die() { echo "deploy-web-app: $*" >&2; exit 2; }

group='' app='' package='' packages='' url=''
while [ $# -gt 0 ]; do
  [ $# -gt 1 ] || die "$1 needs a value"
  case $1 in
    --group) group=$2 ;;
    --app) app=$2 ;;
    --package) package=$2 ;;
    --packages) packages=$2 ;;
    --url) url=$2 ;;
    *) die "unknown option $1" ;;
  esac
  shift 2
done
[ -n "$group" ] && [ -n "$app" ] || die "--group and --app are required"
url=${url:-https://$app.azurewebsites.net}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ -z "$package" ]; then
  echo "building"
  root=$(cd "$(dirname "$0")/../.." && pwd)
  (cd "$root" && npm pack --pack-destination "$work" >/dev/null)
  package=$(echo "$work"/postroom-*.tgz)
fi
[ -f "$package" ] || die "$package: there is no such file"

echo "packaging $(basename "$package")"
mkdir "$work/app"
cp "$package" "$work/app/postroom.tgz"
{
  printf '{"name":"postroom-web-app","private":true,"scripts":{"start":"postroom serve"},"dependencies":{"postroom":"file:postroom.tgz"'
  for name in $packages; do printf ',"%s":"*"' "$name"; done
  printf '}}\n'
} >"$work/app/package.json"
(cd "$work/app" && zip -q "$work/app.zip" package.json postroom.tgz)

echo "deploying to $app"
# The Web App installs the packages itself, for its own version of Node; its proxy calls the port that it names in PORT.
az webapp config appsettings set --resource-group "$group" --name "$app" --output none \
  --settings SCM_DO_BUILD_DURING_DEPLOYMENT=true POSTROOM_HOST=0.0.0.0 POSTROOM_HOME=/home/postroom
az webapp deploy --resource-group "$group" --name "$app" --type zip --src-path "$work/app.zip" --output none

echo "restarting"
az webapp restart --resource-group "$group" --name "$app"

for _ in $(seq 60); do
  if [ "$(curl -fsS --max-time 5 "$url/healthz" 2>/dev/null)" = Healthy ]; then
    echo "healthy: $url"
    exit 0
  fi
  sleep 5
done
echo "deploy-web-app: $url/healthz did not become healthy within 5 minutes; see: az webapp log tail --name $app --resource-group $group" >&2
exit 1
