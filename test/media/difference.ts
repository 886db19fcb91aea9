import {cellHeight, cellWidth} from './grid.ts';
import type {Pixels} from './png.ts';
import {barHeight, padding} from './svg.ts';

/**
 * How far two pictures differ, from 0 (equal) to 1 (black against white): on average over all cells, and in
 * the cell and colour that differ most.
 */
export type Difference = {readonly mean: number; readonly maximum: number};

/**
 * The mean red, green and blue of each cell of the terminal, from 0 to 1. Means, because fonts draw the edges
 * of letters differently.
 */
function computeCellMeans({width, height, bytes}: Pixels): number[] {
	const means: number[] = [];
	for (let top = barHeight + padding; top + cellHeight <= height - padding; top += cellHeight) {
		for (let left = padding; left + cellWidth <= width - padding; left += cellWidth) {
			for (const channel of [0, 1, 2]) {
				let sum = 0;
				for (let y = top; y < top + cellHeight; y++)
					for (let x = left; x < left + cellWidth; x++) sum += bytes[(y * width + x) * 4 + channel] ?? 0;
				means.push(sum / (cellWidth * cellHeight * 255));
			}
		}
	}
	return means;
}

/** Compares the terminals of two pictures cell by cell; the title bar, which has another font, is left out. */
export function measureDifference(one: Pixels, other: Pixels): Difference {
	if (one.width !== other.width || one.height !== other.height) return {mean: 1, maximum: 1};
	const [oneMeans, otherMeans] = [computeCellMeans(one), computeCellMeans(other)];
	const differences = oneMeans.map((mean, at) => Math.abs(mean - (otherMeans[at] ?? 0)));
	return {
		mean: differences.reduce((sum, part) => sum + part, 0) / differences.length,
		maximum: Math.max(...differences),
	};
}
