/** One line of the bench: what was measured, and whether it keeps its budget. */
export type Row = {
	readonly what: string;
	readonly measured: string;
	readonly budget?: string;
	readonly within?: boolean;
};

export const formatBenchRatio = (figure: number): string => `${figure.toFixed(2)} ×`;

export const formatBenchSeconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(2)} s`;

export const formatBenchMilliseconds = (milliseconds: number): string => `${Math.round(milliseconds)} ms`;

/** A row whose figure and budget are ratios. */
export const ratioRow = (what: string, figure: number, maxRatio: number, detail: string): Row => ({
	what,
	measured: `${formatBenchRatio(figure)} (${detail})`,
	budget: `≤ ${maxRatio} ×`,
	within: figure <= maxRatio,
});
