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
    .map(
      ({ path, words }) => `    "${path}") words="${words.map(({ word }) => word).join(" ")}" ;;`,
    )
    .join("\n");
  return shell === "bash" ? bashScript(cases) : zshScript(cases);
}

/** Words that are no commands, such as arguments, end the path. */
const bashScript = (cases: string): string => `# completion of postroom for bash
_postroom() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" path="" words="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) path="\${path:+$path }$word" ;; esac
  done
  case "$path" in
${cases}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _postroom postroom
`;

const zshScript = (cases: string): string => `#compdef postroom
_postroom() {
  local path_="" words_="" word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$word" in -*) ;; *) path_="\${path_:+$path_ }$word" ;; esac
  done
  case "$path_" in
${cases.replaceAll('words="', 'words_="')}
  esac
  compadd -- \${=words_}
}
compdef _postroom postroom
`;

function fishScript(places: readonly Place[]): string {
  const quote = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const lines = places.flatMap(({ path, words }) =>
    words.map(({ word, about }) => {
      const where =
        path === "" && !word.startsWith("--")
          ? "__fish_use_subcommand"
          : path
              .split(" ")
              .filter(Boolean)
              .map((name) => `__fish_seen_subcommand_from ${name}`)
              .join("; and ") || "true";
      const what = word.startsWith("--") ? `-l ${word.slice(2)}` : `-f -a ${word}`;
      return `complete -c postroom -n ${quote(where)} ${what} -d ${quote(about)}`;
    }),
  );
  return `# completion of postroom for fish\n${lines.join("\n")}\n`;
}
