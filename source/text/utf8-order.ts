const [firstSurrogate, lastSurrogate] = [0xd800, 0xdfff];

/**
 * Compares two keys in the order of listings, that of their UTF-8 bytes. It differs from the order of UTF-16
 * units for a surrogate pair against a unit above the surrogates. Returns a number as for `sort`.
 */
export function compareKeys(one: string, other: string): number {
	const length = Math.min(one.length, other.length);
	for (let at = 0; at < length; at++) {
		const [left, right] = [one.charCodeAt(at), other.charCodeAt(at)];
		if (left !== right) return getWeight(left) - getWeight(right);
	}
	return one.length - other.length;
}

/** Orders surrogates behind all other units. */
const getWeight = (unit: number): number =>
	unit >= firstSurrogate && unit <= lastSurrogate ? unit + 0x1_0000 : unit;
