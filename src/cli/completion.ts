/** Scripts that let a shell complete commands and options. They are made from the commands themselves. */
import { Argument, Command } from "commander";

interface Place {
  /** The commands before the word, such as `mailbox add`; empty at the beginning. */
  readonly path: string;
  readonly words: readonly { readonly word: string; readonly about: string }[];
}

const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

export function completionCommand(program: () => Command): Command {
  return new Command("completion")
    .description("print a completion script for your shell")
    .addArgument(new Argument("<shell>", "the shell").choices(SHELLS))
    .addHelpText(
      "after",
      "\nExamples:\n  postroom completion bash > ~/.local/share/bash-completion/completions/postroom\n  postroom completion zsh > ~/.zfunc/_postroom\n  postroom completion fish > ~/.config/fish/completions/postroom.fish",
    )
    .action((shell: Shell) => {
      process.stdout.write(scriptFor(shell, findPlaces(program())));
    });
}

export function findPlaces(command: Command, path: readonly string[] = []): Place[] {
  const words = [
    ...command.commands.map((child) => ({ word: child.name(), about: child.description() })),
    ...command.registeredArguments.flatMap(({ argChoices = [], description }) =>
      argChoices.map((word) => ({ word, about: description })),
    ),
    ...command.options.flatMap((option) =>
      option.long ? [{ word: option.long, about: option.description }] : [],
    ),
    { word: "--help", about: "show help" },
  ];
  return [
    { path: path.join(" "), words },
    ...command.commands.flatMap((child) => findPlaces(child, [...path, child.name()])),
  ];
}

export function scriptFor(shell: Shell, places: readonly Place[]): string {
  if (shell === "fish") return fishScript(places);
  const cases = places
    .map(({ path, words }) => `    "${path}") echo "${words.map(({ word }) => word).join(" ")}" ;;`)
    .join("\n");
  return shell === "bash" ? bashScript(cases) : zshScript(cases);
}

/** What can follow the commands in `$1`; fails if they are not commands. */
const wordsScript = (cases: string): string => `_postroom_words() {
  case "$1" in
${cases}
    *) return 1 ;;
  esac
}`;

/** A word that is not a command, such as an argument or the value of an option, is passed over. */
const bashScript = (cases: string): string => `# completion of postroom for bash
${wordsScript(cases)}
_postroom() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" path="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if _postroom_words "\${path:+$path }$word" >/dev/null; then path="\${path:+$path }$word"; fi
  done
  COMPREPLY=($(compgen -W "$(_postroom_words "$path")" -- "$cur"))
}
complete -o default -F _postroom postroom
`;

/** The last lines work both for a file that zsh loads by itself and for a script that is sourced. */
const zshScript = (cases: string): string => `#compdef postroom
${wordsScript(cases)}
_postroom() {
  local path_="" word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if _postroom_words "\${path_:+$path_ }$word" >/dev/null; then path_="\${path_:+$path_ }$word"; fi
  done
  local offered="$(_postroom_words "$path_")"
  compadd -- \${=offered}
  _files
}
if [ "\${funcstack[1]}" = "_postroom" ]; then _postroom "$@"; else compdef _postroom postroom; fi
`;

/** Offers the commands of a place only until one of them has been typed. */
function fishScript(places: readonly Place[]): string {
  const quote = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const lines = places.flatMap(({ path, words }) => {
    const seen = path.split(" ").filter(Boolean);
    const siblings = words.map(({ word }) => word).filter((word) => !word.startsWith("--"));
    return words.map(({ word, about }) => {
      const isOption = word.startsWith("--");
      const conditions = [
        ...seen.map((name) => `__fish_seen_subcommand_from ${name}`),
        ...(isOption ? [] : [`not __fish_seen_subcommand_from ${siblings.join(" ")}`]),
      ];
      const where = conditions.join("; and ") || "true";
      const what = isOption ? `-l ${word.slice(2)}` : `-f -a ${word}`;
      return `complete -c postroom -n ${quote(where)} ${what} -d ${quote(about)}`;
    });
  });
  return `# completion of postroom for fish\n${lines.join("\n")}\n`;
}
