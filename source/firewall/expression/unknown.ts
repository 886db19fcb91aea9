/**
 * A value or result that is not known, because it depends on what a request does not record, or on what ledge
 * does not evaluate.
 */
export class Unknown {
	/** Fields that the request does not record. */
	readonly fields: ReadonlySet<string>;
	/** What is not evaluated: lists (`$office`), functions (`sha256()`), patterns (`matches "[[:alpha:]]"`). */
	readonly operations: ReadonlySet<string>;

	constructor(fields: Iterable<string>, operations: Iterable<string> = []) {
		this.fields = new Set(fields);
		this.operations = new Set(operations);
	}
}

export const createUnknownOperation = (name: string): Unknown => new Unknown([], [name]);

/** Merges what is unknown; the same object if there is only one. */
export function mergeUnknown(one: Unknown, other: Unknown): Unknown {
	return one === other
		? one
		: new Unknown(one.fields.union(other.fields), one.operations.union(other.operations));
}
