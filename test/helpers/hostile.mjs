// Code that has taken over a child of the sandbox: tries everything, and prints what worked. Plain JavaScript,
// because a child sees no loader.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";

const target = JSON.parse(process.argv[2]);

const attacks = {
  "read a file that everybody may read": () => readFileSync(target.openFile),
  "read a file of the database's user": () => readFileSync(target.databaseFile),
  "list the home folder": () => readdirSync(target.home),
  "read /etc/passwd": () => readFileSync("/etc/passwd"),
  "read the environment of the host": () => readFileSync(`/proc/${target.pid}/environ`),
  "read the memory map of the host": () => readFileSync(`/proc/${target.pid}/maps`),
  "see other processes": () => readFileSync(`/proc/${target.pid}/cmdline`),
  "write where everybody may": () => writeFileSync(`${target.openFolder}/${process.pid}`, "x"),
  "write over its own program": () => writeFileSync(process.argv[1], "//", { flag: "r+" }),
  "connect to a port of the machine": () => reach({ host: "127.0.0.1", port: target.port }),
  "connect to a socket in the file system": () => reach({ path: target.socket }),
  "connect to a socket without a file": () => reach({ path: `\0${target.mark}` }),
  "signal the host": () => process.kill(target.pid, 0),
  "signal the database": () => process.kill(target.databasePid, 0),
  "become root": () => {
    process.setuid(0);
    readFileSync(target.rootFile);
  },
  "start a shell": () => started("/bin/sh", ["-c", "exit 0"]),
  "start a hundred processes": startMany,
};

const outcomes = {};
for (const [name, attack] of Object.entries(attacks)) {
  try {
    await attack();
    outcomes[name] = "done";
  } catch (error) {
    outcomes[name] = error.code ?? error.message;
  }
}
process.stdout.write(JSON.stringify(outcomes), () => process.exit(0));

function reach(address) {
  return new Promise((done, fail) => {
    const socket = connect(address, () => done(socket.destroy()));
    socket.once("error", fail);
  });
}

function started(file, args) {
  return new Promise((done, fail) => {
    spawn(file, args, { stdio: "ignore" }).once("error", fail).once("spawn", done);
  });
}

/** None of them is gone before the loop has ended, because a process counts until its parent has noticed. */
async function startMany() {
  const starts = [];
  for (let count = 0; count < 100; count++) starts.push(started("/usr/bin/setpriv", ["--version"]));
  await Promise.all(starts);
}
