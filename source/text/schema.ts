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
import {isJsonObject, type JsonObject, type JsonValue} from './json.ts';

/** A schema for data from outside. */
export type Schema<T> = GenericSchema<unknown, T>;

type Fields<E extends ObjectEntries> = Readonly<InferOutput<ObjectSchema<E, undefined>>>;

/** A JSON object. Unlike valibot's `object`, it accepts no array. */
export const jsonObject: Schema<JsonObject> = custom<JsonObject>(isJsonObject);

/** Any JSON value; required. */
export const jsonValue: Schema<JsonValue> = custom<JsonValue>(value => value !== undefined);

/** An object with these fields. Drops other fields, and omits those that are `undefined`. */
export const pickFields = <const E extends ObjectEntries>(entries: E): Schema<Fields<E>> =>
	pipe(
		jsonObject as GenericSchema,
		object(entries) as GenericSchema,
		transform(value => omitUndefined(value as object)),
	) as Schema<Fields<E>>;

export const list = <T>(item: Schema<T>): Schema<readonly T[]> => pipe(array(item), readonly());

/** A field that counts as missing if it is invalid. */
export const ignoreInvalid = <T>(schema: Schema<T>): ExactOptionalSchema<Schema<T>, undefined> =>
	fallback(exactOptional(schema), undefined as T);

/** An invalid part of the value by its path, with the message of its schema. */
type SchemaProblem = {readonly message: string; readonly path: readonly (string | number)[]};

/** Parses a value. Stops at the first problem. */
export function parseWithSchema<T>(
	schema: Schema<T>,
	value: unknown,
): {readonly value: T} | {readonly problem: SchemaProblem} {
	const {success, output, issues} = safeParse(schema, value, {abortEarly: true});
	if (success) return {value: output};
	const [{message, path = []}] = issues;
	return {problem: {message, path: path.map(({key}) => key as string | number)}};
}

/** Parses a value; undefined if it is invalid. */
export function parseOrUndefined<T>(schema: Schema<T>, value: unknown): T | undefined {
	const result = parseWithSchema(schema, value);
	return 'value' in result ? result.value : undefined;
}

/** Omits fields that are `undefined`. */
export const omitUndefined = <T extends object>(value: T) =>
	Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as {
		[K in keyof T]?: Exclude<T[K], undefined>;
	};
