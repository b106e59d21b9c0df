import { useState } from "react";
import { Button } from "../design/button.tsx";
import { KeyValues } from "../design/card.tsx";
import { Dialog } from "../design/dialog.tsx";
import { chooseTheme, chosenTheme, type Theme } from "../design/theme.ts";
import { IdChip } from "../design/values.tsx";
import { signOut } from "../session/session.ts";
import { useMe } from "../session/use-me.ts";
import { useSettings } from "../session/use-settings.ts";

export function AccountDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const me = useMe();
  const { version, isDemo } = useSettings();
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={me.name ?? "Operator"}
      actions={
        <Button onClick={signOut}>{isDemo ? "Sign in as somebody else" : "Sign out"}</Button>
      }
    >
      <div className="-m-4">
        <KeyValues
          rows={[
            ["Role", <span className="capitalize">{me.role ?? "none: own mailbox only"}</span>],
            ["Id", <IdChip id={me.id} label="your id" />],
            ["Theme", <ThemeChoice />],
            ["Version", version],
          ]}
        />
      </div>
    </Dialog>
  );
}

export function ThemeChoice() {
  const [theme, setTheme] = useState<Theme>(chosenTheme());
  return (
    <div role="group" aria-label="Theme" className="flex gap-1">
      {(["system", "light", "dark"] as const).map((name) => (
        <Button
          key={name}
          size="small"
          kind={name === theme ? "plain" : "quiet"}
          aria-pressed={name === theme}
          className="capitalize"
          onClick={() => {
            chooseTheme(name);
            setTheme(name);
          }}
        >
          {name}
        </Button>
      ))}
    </div>
  );
}
