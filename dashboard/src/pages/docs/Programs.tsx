import { Stack, Title } from "@mantine/core";
import { useEffect, useState } from "react";
import { CodeView } from "../../components/CodeView";
import classes from "./docs.module.css";
import { loadPrograms, type Program, slugOf } from "./guides";

/** The programs that verify a signature, each with the anchor that the guide links to. */
export function Programs() {
  const [programs, setPrograms] = useState<Program[]>([]);
  useEffect(() => {
    void loadPrograms().then(setPrograms);
  }, []);
  return (
    <Stack gap="lg">
      {programs.map(({ language, file, text }) => (
        <section key={file} id={slugOf(file)} aria-label={language} className={classes.anchor}>
          <Title order={2} size="h4" mb="xs">
            {language}
          </Title>
          <CodeView label={file} value={text} maxHeight={640} />
        </section>
      ))}
    </Stack>
  );
}
