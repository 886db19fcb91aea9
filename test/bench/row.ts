/** One line of the bench: what was measured, and whether it keeps its budget. */
export type Row = {
	readonly what: string;
	readonly measured: string;
	readonly budget?: string;
	readonly within?: boolean;
};

export const ratio = (figure: number): string => `${figure.toFixed(2)} ×`;

export const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(2)} s`;

export const wholeMilliseconds = (milliseconds: number): string => `${Math.round(milliseconds)} ms`;

/** A ratio against a budget that is one. */
export const ratioRow = (what: string, figure: number, most: number, detail: string): Row => ({
	what,
	measured: `${ratio(figure)} (${detail})`,
	budget: `≤ ${most} ×`,
	within: figure <= most,
});
