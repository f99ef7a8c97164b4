export { bareId, listObject, pageObject, someId } from "./api-objects.ts";
export { openNotion } from "./under-test.ts";
