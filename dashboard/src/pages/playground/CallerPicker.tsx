import { PasswordInput, SegmentedControl } from "@mantine/core";
import { useCredential } from "../../session/credentials";
import classes from "./playground.module.css";

/** Selects who runs documents: the signed-in user, or an API key that stays in memory. */
export function CallerPicker({ asKey, onChange }: { asKey: boolean; onChange: (asKey: boolean) => void }) {
  const [key, setKey] = useCredential("apiKey");
  return (
    <>
      <SegmentedControl
        aria-label="Run as"
        value={asKey ? "key" : "me"}
        onChange={(value) => onChange(value === "key")}
        data={[
          { value: "me", label: "Run as me" },
          { value: "key", label: "Run with an API key" },
        ]}
      />
      {asKey && (
        <PasswordInput
          aria-label="API key"
          placeholder="key_…"
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
          className={classes.key}
          autoComplete="off"
          data-1p-ignore
        />
      )}
    </>
  );
}
