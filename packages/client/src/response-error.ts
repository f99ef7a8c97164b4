import type { Problem } from "@clew/contract";

/** Clew refused a request, or something between here and Clew did. */
export class ResponseError extends Error {
  readonly status: number;
  /** Clew's problem document (RFC 9457); null if the response has none. */
  readonly problem: Problem | null;

  constructor(request: string, status: number, body: unknown) {
    const problem = isProblem(body) ? body : null;
    super(`${request} failed with status ${status}: ${problem?.detail ?? JSON.stringify(body)}`);
    this.name = "ResponseError";
    this.status = status;
    this.problem = problem;
  }
}

function isProblem(body: unknown): body is Problem {
  return typeof body === "object" && body !== null && "code" in body && "request_id" in body;
}
