import {isJsonObject, type JsonValue} from '../../text/json.ts';
import {compareKeys} from '../../text/utf8-order.ts';
import {getUtf8Length} from '../limits.ts';

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

/** A top-level field of metadata. */
type MetadataField = {
	readonly name: string;
	/** Keys with this field. */
	readonly keys: number;
	/** Types of its values, most frequent first. */
	readonly kinds: readonly {readonly kind: JsonKind; readonly keys: number}[];
	/** Bytes of its values as compact JSON: the sum, and the largest. */
	readonly bytes: number;
	readonly largest: number;
};

export type MetadataCounts = {
	/** Keys without metadata. */
	readonly none: number;
	/** Keys by the JSON type of their metadata. */
	readonly kinds: readonly {readonly kind: JsonKind; readonly keys: number}[];
	/** Bytes as compact JSON: the sum, and the largest. */
	readonly bytes: number;
	readonly largest: number;
	/** Most frequent first. */
	readonly fields: readonly MetadataField[];
	/** Occurrences of fields that are not in `fields`, because there are too many names. */
	readonly otherFields: number;
};

/** Number of field names to keep: the first ones found. */
const maxFields = 500;

type Tally = {keys: number; bytes: number; largest: number; readonly kinds: Map<JsonKind, number>};

const createTally = (): Tally => ({keys: 0, bytes: 0, largest: 0, kinds: new Map()});

/** Counts metadata and its top-level fields. Memory is bounded by `maxFields`. */
export class MetadataTally {
	readonly #fields = new Map<string, Tally>();
	readonly #overall = createTally();
	#none = 0;
	#otherFields = 0;

	add(metadata: JsonValue | undefined): void {
		if (metadata === undefined) {
			this.#none++;
			return;
		}
		addToTally(this.#overall, metadata);
		if (!isJsonObject(metadata)) return;
		for (const [name, value] of Object.entries(metadata)) {
			const field = this.#getField(name);
			if (field) addToTally(field, value);
			else this.#otherFields++;
		}
	}

	get counts(): MetadataCounts {
		const {bytes, largest, kinds} = this.#overall;
		const fields = [...this.#fields].map(([name, field]) => ({
			name,
			keys: field.keys,
			kinds: sortKinds(field.kinds),
			bytes: field.bytes,
			largest: field.largest,
		}));
		fields.sort((one, other) => other.keys - one.keys || compareKeys(one.name, other.name));
		return {
			none: this.#none,
			kinds: sortKinds(kinds),
			bytes,
			largest,
			fields,
			otherFields: this.#otherFields,
		};
	}

	#getField(name: string): Tally | undefined {
		const tally = this.#fields.get(name);
		if (tally || this.#fields.size >= maxFields) return tally;
		const newTally = createTally();
		this.#fields.set(name, newTally);
		return newTally;
	}
}

function addToTally(tally: Tally, value: JsonValue): void {
	const bytes = getUtf8Length(JSON.stringify(value));
	const kind = getJsonKind(value);
	tally.keys++;
	tally.bytes += bytes;
	tally.largest = Math.max(tally.largest, bytes);
	tally.kinds.set(kind, (tally.kinds.get(kind) ?? 0) + 1);
}

function getJsonKind(value: JsonValue): JsonKind {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'array';
	switch (typeof value) {
		case 'string':
			return 'string';
		case 'number':
			return 'number';
		case 'boolean':
			return 'boolean';
		default:
			return 'object';
	}
}

const sortKinds = (kinds: ReadonlyMap<JsonKind, number>): MetadataField['kinds'] =>
	[...kinds]
		.map(([kind, keys]) => ({kind, keys}))
		.sort((one, other) => other.keys - one.keys || (one.kind < other.kind ? -1 : 1));
