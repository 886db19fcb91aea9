import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {buildHexRow, countHexRows, getHexGroupColumns, getHexRowIndex} from '../../source/text/hex-lines.ts';

describe('hex rows', () => {
	it('show offset, two groups of pairs, and ASCII', () => {
		const bytes = Buffer.from('\0\x1b[2Jabc\xff\x7f 0123456789', 'latin1');
		expect(buildHexRow(bytes, 0, 16)).toEqual({
			offset: '00000000',
			groups: ['00 1b 5b 32 4a 61 62 63', 'ff 7f 20 30 31 32 33 34'],
			ascii: '..[2Jabc.. 01234',
		});
		expect(buildHexRow(bytes, 1, 16)).toEqual({
			offset: '00000010',
			groups: ['35 36 37 38 39', ''],
			ascii: '56789',
		});
	});

	it('are counted to the last byte', () => {
		expect([0, 1, 16, 17].map(size => countHexRows(size, 16))).toEqual([0, 1, 1, 2]);
		expect([0, 15, 16].map(offset => getHexRowIndex(offset, 16))).toEqual([0, 0, 1]);
	});

	it('show every byte once, in printable ASCII, within the stated width', () => {
		fc.assert(
			fc.property(fc.uint8Array({maxLength: 200}), fc.constantFrom(2, 8, 16, 32), (bytes, perRow) => {
				const rows = Array.from({length: countHexRows(bytes.length, perRow)}, (_, row) =>
					buildHexRow(bytes, row, perRow),
				);
				const pairs = rows.flatMap(row => row.groups.flatMap(group => group.split(' ').filter(Boolean)));
				expect(Buffer.from(pairs.join(''), 'hex').equals(bytes)).toBe(true);
				for (const row of rows) {
					expect(row.ascii).toMatch(/^[ -~]+$/);
					for (const group of row.groups)
						expect(group.length).toBeLessThanOrEqual(getHexGroupColumns(perRow));
				}
				expect(rows[0]?.groups[0].length ?? getHexGroupColumns(perRow)).toBe(
					Math.min(bytes.length || perRow, perRow / 2) * 3 - 1,
				);
			}),
		);
	});
});
