import { Box } from "@mantine/core";
import encodeQR from "qr";
import classes from "./components.module.css";

/** How many modules stay free around the code: readers find it by them. */
const quiet = 4;

/** A text as a QR code: dark on white in either theme, since not every reader knows it the other way round. */
export default function QrPicture({ value, label }: { value: string; label: string }) {
  const modules = encodeQR(value, "raw", { border: quiet });
  const path = modules.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return (
    <Box className={classes.qr}>
      <svg
        viewBox={`0 0 ${modules.length} ${modules.length}`}
        role="img"
        aria-label={label}
        shapeRendering="crispEdges"
        width="100%"
      >
        <path d={path} fill="#000" />
      </svg>
    </Box>
  );
}
