// The pages also work without scripts. These show results in parts and update jobs.
import { streamChecks } from "./check.js";
import { streamTexts } from "./text.js";
import { followJobs } from "./jobs.js";
import { acceptDrops } from "./drop.js";
import { sortAndFilterTables } from "./table.js";

streamChecks(document.getElementById("check"));
streamTexts(document.getElementById("check-text"));
document.querySelectorAll("[data-job]").forEach(followJobs);
acceptDrops(document.getElementById("upload"));
sortAndFilterTables();
