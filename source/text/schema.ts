import {
	array,
	custom,
	type ExactOptionalSchema,
	exactOptional,
	fallback,
	type GenericSchema,
	type InferOutput,
	type ObjectEntries,
	type ObjectSchema,
	object,
	pipe,
	readonly,
	safeParse,
	transform,
} from 'valibot';
import {isJsonObject, type JsonObject} from './json.ts';

/** A schema for data from outside. */
export type Schema<T> = GenericSchema<unknown, T>;

type Fields<E extends ObjectEntries> = Readonly<InferOutput<ObjectSchema<E, undefined>>>;

/** A JSON object as it is. Unlike valibot's `object`, it takes no list. */
export const jsonObject: Schema<JsonObject> = custom<JsonObject>(isJsonObject);

/** An object with these fields. Drops all others, and leaves out fields that are `undefined`. */
export const fields = <const E extends ObjectEntries>(entries: E): Schema<Fields<E>> =>
	pipe(jsonObject as GenericSchema, object(entries) as GenericSchema, transform(omitUndefined)) as Schema<
		Fields<E>
	>;

/** A list. */
export const list = <T>(item: Schema<T>): Schema<readonly T[]> => pipe(array(item), readonly());

/** A field that counts as missing if it is not what it should be. */
export const lenient = <T>(schema: Schema<T>): ExactOptionalSchema<Schema<T>, undefined> =>
	fallback(exactOptional(schema), undefined as T);

/** Parses a value; `undefined` if it does not match. Stops at the first problem. */
export function parseOrUndefined<T>(schema: Schema<T>, value: unknown): T | undefined {
	const result = safeParse(schema, value, {abortEarly: true});
	return result.success ? result.output : undefined;
}

const omitUndefined = (value: unknown): object =>
	Object.fromEntries(Object.entries(value as object).filter(([, field]) => field !== undefined));
