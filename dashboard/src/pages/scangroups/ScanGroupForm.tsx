import { Fieldset, Group, MultiSelect, Radio, Select, Stack, Switch, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { useEventChoices, useZoneChoices, withChosen, withSeries } from "../../components/choices";
import { Panel } from "../../components/Panel";
import { DevicePreview } from "./DevicePreview";
import { DeviceSection } from "./DeviceSection";
import { EventsSection } from "./EventsSection";
import classes from "./preview.module.css";
import type { GroupValues } from "./scangroups";
import type { GroupForm } from "./useScanGroupForm";

interface Props {
  form: GroupForm;
  onSubmit: (values: GroupValues) => Promise<void>;
  disabled?: boolean;
  /** The buttons of the form. */
  children: ReactNode;
}

export function ScanGroupForm({ form, onSubmit, disabled, children }: Props) {
  return (
    <div className={classes.editor}>
      <form onSubmit={form.onSubmit(onSubmit)} className={classes.form}>
        <Fieldset variant="unstyled" disabled={disabled} miw={0} m={0}>
          <Stack gap="lg">
            <Panel title="General">
              <TextInput
                label="Name"
                description="For example “Main entrance”"
                required
                {...form.getInputProps("name")}
              />
              <Switch
                label="Lock configuration"
                description="The operator can't change what the device scans."
                {...form.getInputProps("locked", { type: "checkbox" })}
              />
            </Panel>
            <EventsSection form={form} />
            <ScanSection form={form} />
            <TapAndGoSection form={form} />
            <DeviceSection form={form} />
            <Group justify="flex-end">{children}</Group>
          </Stack>
        </Fieldset>
      </form>
      <DevicePreview form={form} />
    </div>
  );
}

function ScanSection({ form }: { form: GroupForm }) {
  const { checkin, checkout, scanZoneId } = form.values;
  const zones = withChosen(useZoneChoices(), [scanZoneId]);
  return (
    <Panel title="Scans" text="At least one direction is required.">
      <Switch
        label="Check-in"
        description="Devices can check tickets in."
        disabled={checkin && !checkout}
        {...form.getInputProps("checkin", { type: "checkbox" })}
      />
      <Switch
        label="Check-out"
        description="Devices can check tickets out."
        disabled={checkout && !checkin}
        {...form.getInputProps("checkout", { type: "checkbox" })}
      />
      <Switch
        label="Allow re-entry"
        description="A ticket can be checked in again after a check-out."
        {...form.getInputProps("multiCheckin", { type: "checkbox" })}
      />
      <Switch
        label="Check timeslots"
        description="Tickets are admitted only around their timeslot. Set the margins per event."
        {...form.getInputProps("checkTimeslots", { type: "checkbox" })}
      />
      <Select
        label="Zone"
        description="Occupancy is counted per zone. A ticket inside another zone can still enter this one."
        placeholder="No zone"
        data={zones}
        searchable
        clearable
        clearButtonProps={{ "aria-label": "Clear zone" }}
        nothingFoundMessage="No zones match"
        {...form.getInputProps("scanZoneId")}
      />
    </Panel>
  );
}

function TapAndGoSection({ form }: { form: GroupForm }) {
  const { tapAndGo, tapEvents, tapEventIds } = form.values;
  const events = withChosen(useEventChoices(withSeries), tapEventIds);
  return (
    <Panel title="Tap and go" text="Devices exchange a code from an access list for a ticket.">
      <Switch label="Allow tap and go" {...form.getInputProps("tapAndGo", { type: "checkbox" })} />
      {tapAndGo && (
        <Radio.Group label="Events" {...form.getInputProps("tapEvents")}>
          <Stack gap="sm" mt="xs">
            <Radio value="all" label="All events" />
            <Radio value="some" label="Selected events" />
          </Stack>
        </Radio.Group>
      )}
      {tapAndGo && tapEvents === "some" && (
        <MultiSelect
          label="Tap and go events"
          placeholder={tapEventIds.length > 0 ? "" : "None – no code is exchanged"}
          data={events}
          searchable
          nothingFoundMessage="No events match"
          {...form.getInputProps("tapEventIds")}
        />
      )}
    </Panel>
  );
}
