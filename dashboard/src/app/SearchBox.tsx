import { ActionIcon, Kbd, Loader, Modal, Stack, Text, TextInput, UnstyledButton } from "@mantine/core";
import { useDebouncedValue, useDisclosure, useHotkeys } from "@mantine/hooks";
import { Search } from "lucide-react";
import { type KeyboardEvent, useId, useState } from "react";
import { useNavigate } from "react-router";
import { useQuery } from "urql";
import { ErrorState } from "../components/ErrorState";
import { detailOf, type Found, foundKinds, isTooShort, moved } from "./found";
import classes from "./SearchBox.module.css";
import { SearchDocument } from "./search.generated";

/** The search of all records. `/` opens it on pages without a search of their own. */
export function SearchBox() {
  const [opened, { open, close }] = useDisclosure();
  useHotkeys([
    ["mod+K", open],
    ["/", () => document.querySelector("[data-slash]") ?? open()],
  ]);
  return (
    <>
      <UnstyledButton className={classes.button} onClick={open} visibleFrom="md" aria-keyshortcuts="/ Control+K">
        <Search size={16} aria-hidden />
        <span>Search everything</span>
        <Kbd size="xs" aria-hidden>
          Ctrl K
        </Kbd>
      </UnstyledButton>
      <ActionIcon variant="default" size="lg" onClick={open} hiddenFrom="md" aria-label="Search everything">
        <Search size={18} aria-hidden />
      </ActionIcon>
      <Modal
        opened={opened}
        onClose={close}
        title="Search everything"
        size="lg"
        yOffset="8vh"
        transitionProps={{ duration: 0 }} // an animation would lose the first letters typed
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <Finder onGo={close} />
      </Modal>
    </>
  );
}

function Finder({ onGo }: { onGo: () => void }) {
  const [text, setText] = useState("");
  const [query] = useDebouncedValue(text.trim(), 200);
  const [active, setActive] = useState(0);
  const pause = isTooShort(query);
  const [{ data, error, fetching }, again] = useQuery({
    query: SearchDocument,
    variables: { query },
    pause,
    requestPolicy: "network-only",
  });
  const navigate = useNavigate();
  const list = useId();
  const found = pause || error ? [] : (data?.search ?? []);
  const refused = error && !pause && !fetching && query === text.trim() ? error : undefined;
  const at = Math.min(active, Math.max(0, found.length - 1));

  function go(result: Found | undefined) {
    if (!result) return;
    onGo();
    void navigate(foundKinds[result.kind].to(result));
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Enter") go(found[at]);
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    setActive(moved(at, event.key, found.length));
  }
  return (
    <Stack gap="sm">
      <TextInput
        data-autofocus
        role="combobox"
        aria-label="Search query"
        aria-controls={list}
        aria-expanded={found.length > 0}
        aria-activedescendant={found.length > 0 ? `${list}-${at}` : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        placeholder="ID, barcode, external code, email or name"
        maxLength={320}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
        leftSection={<Search size={16} aria-hidden />}
        rightSection={fetching && !pause ? <Loader size={16} /> : undefined}
      />
      {refused && <ErrorState error={refused} onRetry={again} />}
      <div id={list} role="listbox" aria-label="Results" hidden={found.length === 0} className={classes.list}>
        {found.map((result, index) => (
          <Row
            key={`${result.kind} ${result._id}`}
            id={`${list}-${index}`}
            of={result}
            active={index === at}
            onActive={() => setActive(index)}
            onGo={() => go(result)}
          />
        ))}
      </div>
      <Text size="sm" c="dimmed" role="status">
        {!refused && words(text.trim(), pause || fetching || error !== undefined, found.length)}
      </Text>
    </Stack>
  );
}

/** Returns the status line below the results. */
function words(text: string, waiting: boolean, count: number): string {
  if (isTooShort(text))
    return "Type at least two characters. Enter codes and email addresses in full, and customer names from the start.";
  if (waiting) return "Searching…";
  if (count === 0) return "No results. Enter codes and email addresses in full, and customer names from the start.";
  return "Use the arrow keys to select, Enter to open, Esc to close.";
}

interface RowProps {
  id: string;
  of: Found;
  active: boolean;
  onActive: () => void;
  onGo: () => void;
}

function Row({ id, of, active, onActive, onGo }: RowProps) {
  const { label, icon: Icon } = foundKinds[of.kind];
  const detail = detailOf(of);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the input above has the focus and handles the keys
    <div
      id={id}
      role="option"
      aria-selected={active}
      tabIndex={-1}
      className={classes.row}
      onMouseMove={onActive}
      onClick={onGo}
      ref={(element) => {
        if (active) element?.scrollIntoView({ block: "nearest" });
      }}
    >
      <Icon size={18} aria-hidden />
      <div className={classes.words}>
        <Text size="sm" fw={550} truncate>
          {of.title}
        </Text>
        {detail && (
          <Text size="xs" c="dimmed" truncate>
            {detail}
          </Text>
        )}
      </div>
      <Text size="xs" c="dimmed" className={classes.kind}>
        {label}
      </Text>
    </div>
  );
}
