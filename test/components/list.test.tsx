import fc from 'fast-check';
import {Text} from 'ink';
import {render} from 'ink-testing-library';
import {expect, test} from 'vitest';
import {getFirstVisible, List} from '../../source/components/list.tsx';
import {PointerContext, PointerRegions} from '../../source/components/pointer.ts';

test('the cursor is always visible, and no row at the end stays empty', () => {
	fc.assert(
		fc.property(
			fc.nat(200),
			fc.nat(200),
			fc.integer({min: 1, max: 60}),
			fc.integer({min: 1, max: 200}),
			(previousTop, wantedCursor, height, count) => {
				const cursor = Math.min(wantedCursor, count - 1);
				const top = getFirstVisible(previousTop, cursor, height, count);
				expect(top).toBeGreaterThanOrEqual(0);
				expect(cursor).toBeGreaterThanOrEqual(top);
				expect(cursor).toBeLessThan(top + height);
				expect(top).toBeLessThanOrEqual(Math.max(0, count - height));
			},
		),
	);
});

test('moving within the window does not scroll; moving past its edge scrolls by half', () => {
	expect(getFirstVisible(10, 15, 10, 100)).toBe(10);
	expect(getFirstVisible(10, 20, 10, 100)).toBe(15);
	expect(getFirstVisible(10, 9, 10, 100)).toBe(4);
});

test('a page is what the list with the cursor shows', () => {
	const regions = new PointerRegions();
	const list = (height: number, hasCursor: boolean) => (
		<List count={100} cursor={0} height={height} hasCursor={hasCursor} renderRow={() => <Text>row</Text>} />
	);
	expect(regions.countListRows()).toBeUndefined();
	const {unmount} = render(
		<PointerContext value={regions}>
			{list(4, false)}
			{list(11, true)}
		</PointerContext>,
	);
	expect(regions.countListRows()).toBe(11);
	unmount();
	expect(regions.countListRows()).toBeUndefined();
});

test('only visible rows are rendered', () => {
	const renderedIndexes: number[] = [];
	const {lastFrame} = render(
		<List
			count={1_000_000}
			cursor={500_000}
			height={3}
			renderRow={(index, isCursor) => {
				renderedIndexes.push(index);
				return <Text>{`${isCursor ? '>' : ' '}${index}`}</Text>;
			}}
		/>,
	);
	expect(lastFrame()).toBe(' 499998\n 499999\n>500000');
	expect(renderedIndexes).toEqual([499_998, 499_999, 500_000]);
});
