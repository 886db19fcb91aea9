import fc from 'fast-check';
import {expect, test} from 'vitest';
import {Uint32List} from '../../../source/kv/key-index/uint32-list.ts';
import {getRunCount} from '../../support/full.ts';
import {anyPages} from './tiny-pages.ts';

const valuesOf = (list: Uint32List): number[] =>
	Array.from({length: list.length}, (_, place) => list.at(place));

const maxNumber = 90;
const anyNumber = fc.nat(maxNumber);
const anyStep = fc.oneof(
	fc.record({does: fc.constant('push' as const), values: fc.array(fc.nat(10_000), {maxLength: 60})}),
	fc.record({does: fc.constant('truncate' as const), at: anyNumber}),
	fc.record({
		does: fc.constant('insert' as const),
		places: fc.uniqueArray(anyNumber, {maxLength: 20}),
	}),
	fc.record({does: fc.constant('remove' as const), places: fc.uniqueArray(anyNumber, {maxLength: 20})}),
	fc.record({does: fc.constant('move' as const), at: anyNumber, from: anyNumber, length: anyNumber}),
	fc.record({does: fc.constant('replace' as const), at: anyNumber, removed: anyNumber, length: anyNumber}),
	fc.record({does: fc.constant('set' as const), at: anyNumber, value: fc.nat()}),
);

test('a list of numbers behaves like an array, whatever its pages and changes', () => {
	fc.assert(
		fc.property(anyPages, fc.array(anyStep, {maxLength: 25}), (pages, steps) => {
			const list = new Uint32List(pages);
			let plain: number[] = [];
			for (const step of steps) {
				const {length} = plain;
				switch (step.does) {
					case 'push':
						for (const value of step.values) list.push(value);
						plain.push(...step.values);
						break;
					case 'truncate':
						list.truncate(step.at);
						plain = plain.slice(0, step.at);
						break;
					case 'insert': {
						const places = step.places.toSorted((one, other) => one - other);
						const fitting = places.filter((place, index) => place <= length + index);
						list.insert(
							Uint32Array.from(fitting),
							Uint32Array.from(fitting, place => place + 1000),
						);
						for (const place of fitting) plain.splice(place, 0, place + 1000);
						break;
					}
					case 'remove': {
						const places = step.places.filter(place => place < length).sort((one, other) => one - other);
						list.remove(Uint32Array.from(places));
						plain = plain.filter((_, place) => !places.includes(place));
						break;
					}
					case 'move': {
						const from = Math.min(step.from, length);
						const to = Math.min(from + step.length, length);
						const place = Math.min(step.at, from);
						list.move(place, from, to, 3);
						plain.splice(place, to - from, ...plain.slice(from, to).map(value => value + 3));
						break;
					}
					case 'replace': {
						const place = Math.min(step.at, length);
						const removed = Math.min(step.removed, length - place);
						list.replaceByRange(place, removed, 5, 5 + step.length);
						plain.splice(place, removed, ...Array.from({length: step.length}, (_, index) => 5 + index));
						break;
					}
					case 'set':
						if (step.at >= length) break;
						list.set(step.at, step.value);
						plain[step.at] = step.value;
						break;
				}
				expect(valuesOf(list)).toEqual(plain);
			}
			expect(list.at(list.length)).toBe(0);
			const sorted = new Uint32List(pages);
			for (const value of plain.toSorted((one, other) => one - other)) sorted.push(value);
			for (const value of [0, 50, 1003, ...plain])
				expect(sorted.findFirstAtLeast(value)).toBe(plain.filter(other => other < value).length);
		}),
		{numRuns: getRunCount(400)},
	);
});
