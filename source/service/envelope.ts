import {isJsonObject} from '../text/json.ts';

/** An item of `errors` or `messages`. */
export type ServiceMessage = {
	readonly code?: number;
	readonly message: string;
	/** JSON pointer into the request, if the service names one. */
	readonly pointer?: string;
	readonly documentation?: string;
	readonly chain: readonly ServiceMessage[];
	readonly meta?: Readonly<Record<string, unknown>>;
};

export type PageInfo = {
	readonly page?: number;
	readonly perPage?: number;
	readonly count?: number;
	readonly totalCount?: number;
	/**
	 * Cursor of the next page (`cursor`, or `cursors.after`); empty on the last page, where some deployments omit it.
	 */
	readonly cursor?: string;
};

/** A normalized JSON response: `null` messages become empty lists. */
export type Envelope = {
	readonly success: boolean;
	readonly result: unknown;
	/** True if it has a `result`, even if `null`. */
	readonly hasResult: boolean;
	readonly errors: readonly ServiceMessage[];
	readonly messages: readonly ServiceMessage[];
	readonly info: PageInfo;
	/** The service's time in milliseconds since the epoch, accurate to a second. Undefined if it sends none. */
	readonly respondedAt?: number;
};

/**
 * Parses the envelope of a JSON response; undefined if it is not one. Tolerates only these quirks of real
 * deployments: `errors` or `messages` that are `null` or missing, and the flat body of a 429
 * (`{"code":971,"message":…}`), which counts as an envelope with one error.
 */
export function parseEnvelope(json: unknown, status?: number): Envelope | undefined {
	if (!isJsonObject(json)) return undefined;
	if (typeof json.success === 'boolean') {
		return {
			success: json.success,
			result: json.result ?? null,
			hasResult: Object.hasOwn(json, 'result'),
			errors: readMessages(json.errors),
			messages: readMessages(json.messages),
			info: readPageInfo(json.result_info),
		};
	}
	if (typeof json.message === 'string' && (status === undefined || status === 429)) {
		return {
			success: false,
			result: null,
			hasResult: false,
			errors: readMessages([json]),
			messages: [],
			info: {},
		};
	}
	return undefined;
}

/** A response without a body, like 204 to a deletion; also the response in a dry run. */
export const emptyEnvelope: Envelope = {
	success: true,
	result: null,
	hasResult: true,
	errors: [],
	messages: [],
	info: {},
};

function readMessages(value: unknown): ServiceMessage[] {
	if (!Array.isArray(value)) return [];
	return value.filter(isJsonObject).map(item => {
		const source = isJsonObject(item.source) ? item.source : {};
		return {
			message: typeof item.message === 'string' ? item.message : '',
			chain: readMessages(item.error_chain),
			...(typeof item.code === 'number' && {code: item.code}),
			...(typeof source.pointer === 'string' && {pointer: source.pointer}),
			...(typeof item.documentation_url === 'string' && {documentation: item.documentation_url}),
			...(isJsonObject(item.meta) && {meta: item.meta}),
		};
	});
}

function readPageInfo(value: unknown): PageInfo {
	if (!isJsonObject(value)) return {};
	const cursor = isJsonObject(value.cursors) ? value.cursors.after : value.cursor;
	return {
		...(typeof value.page === 'number' && {page: value.page}),
		...(typeof value.per_page === 'number' && {perPage: value.per_page}),
		...(typeof value.count === 'number' && {count: value.count}),
		...(typeof value.total_count === 'number' && {totalCount: value.total_count}),
		...(typeof cursor === 'string' && {cursor}),
	};
}
