import { StatusPill } from "../../components/StatusPill";
import { type Device, deviceState, deviceStates } from "./devices";

export function DeviceStatus({ of: device }: { of: Device }) {
  return <StatusPill {...deviceStates[deviceState(device)]} />;
}
