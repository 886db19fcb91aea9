export type JsonValue =
	| string
	| number
	| boolean
	| null
	| readonly JsonValue[]
	| {readonly [key: string]: JsonValue};

export type JsonObject = {readonly [key: string]: JsonValue};

/** The objects of a list; what is none of both is left out. */
export const objects = (value: JsonValue | undefined): readonly JsonObject[] =>
	Array.isArray(value) ? value.filter(isJsonObject) : [];

export const isJsonObject = (value: unknown): value is JsonObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
