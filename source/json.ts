/** Any value that JSON can hold. */
export type JsonValue =
	| string
	| number
	| boolean
	| null
	| readonly JsonValue[]
	| {readonly [key: string]: JsonValue};

/** An object of JSON values, as metadata is. */
export type JsonObject = {readonly [key: string]: JsonValue};

export const isJsonObject = (value: unknown): value is JsonObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
