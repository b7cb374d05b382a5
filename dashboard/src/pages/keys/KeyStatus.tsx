import { StatusPill } from "../../components/StatusPill";
import { type Key, keyState, keyStates } from "./keys";

export function KeyStatus({ of: key }: { of: Key }) {
  return <StatusPill {...keyStates[keyState(key)]} />;
}
