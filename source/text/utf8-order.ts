const [firstSurrogate, lastSurrogate] = [0xd800, 0xdfff];

/**
 * Compares two keys by their UTF-8 bytes, which is the order of listings. It differs from the order of UTF-16
 * units for a surrogate pair against a unit above the surrogates. Returns a number as for `sort`.
 */
export function compareKeys(leftKey: string, rightKey: string): number {
	const length = Math.min(leftKey.length, rightKey.length);
	for (let index = 0; index < length; index++) {
		const [left, right] = [leftKey.charCodeAt(index), rightKey.charCodeAt(index)];
		if (left !== right) return getWeight(left) - getWeight(right);
	}
	return leftKey.length - rightKey.length;
}

/** Orders surrogates after all other units. */
const getWeight = (unit: number): number =>
	unit >= firstSurrogate && unit <= lastSurrogate ? unit + 0x1_0000 : unit;
