import { describeProvider } from "@clew/provider-contract";
import { openFolder } from "../testing/under-test.ts";

describeProvider("a folder", openFolder);
