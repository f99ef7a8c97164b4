export { bareId, listObject, pageObject, someId } from "./api-objects.ts";
