import {formatInteger, formatShortFigure, formatShortSize} from '../text/figures.ts';
import type {TimePlot} from '../text/plot/plot.ts';
import {type AnalyticsProblem, formatMissingLine, type ReadResult} from './problem.ts';
import {getStoreSubject, operationKinds} from './store-metrics.ts';
import type {Quantile, StoreSeries} from './store-series.ts';

/** Plots in display order. */
export const panelNames = ['operations', 'latency', 'keys', 'bytes'] as const;

type PanelName = (typeof panelNames)[number];

/** A plot, or why it is missing. */
export type Panel = {
	readonly title: string;
	/** Key figures of the plot; may be empty. */
	readonly facts: string;
	readonly plot: TimePlot | undefined;
	/** What is missing in the plot, or instead of it. */
	readonly missingLines: readonly string[];
};

const drawnQuantiles: readonly Quantile[] = ['p50', 'p90', 'p99'];

/** Patterns of the problem paths that belong to each panel. */
const partPatterns: Readonly<Record<PanelName, RegExp>> = {
	operations: /^(operations|sum|actionType)/,
	latency: /^(latency|quantiles)/,
	keys: /^(storage|max)/,
	bytes: /^(storage|max)/,
};

const titles: Readonly<Record<PanelName, string>> = {
	operations: 'Operations',
	latency: 'Latency',
	keys: 'Keys',
	bytes: 'Size',
};

/**
 * Builds the four plots of one or all namespaces. The names of series may come from the service: they are not
 * escaped for the terminal.
 */
export function buildStorePanels({value, problems}: ReadResult<StoreSeries>): readonly Panel[] {
	return panelNames.map(name => {
		const plot = value && plotBuilders[name](value);
		const ownProblems = problems.filter(({path}) => path.some(part => partPatterns[name].test(part)));
		// A problem that concerns no particular part concerns all of them.
		const generalProblems = plot ? [] : problems.filter(problem => !isPartProblem(problem));
		const isIdle = name === 'latency' && value?.latency !== undefined && !plot;
		return {
			title: titles[name],
			facts: plot && value ? factFormatters[name](value) : '',
			plot,
			missingLines: isIdle
				? ['No operations in this period, so no latency.']
				: [
						...new Set(
							[...ownProblems, ...generalProblems].map(problem =>
								formatMissingLine(getStoreSubject(problem), problem),
							),
						),
					],
		};
	});
}

const isPartProblem = ({path}: AnalyticsProblem): boolean =>
	path.some(part => Object.values(partPatterns).some(pattern => pattern.test(part)));

const plotBuilders: Readonly<Record<PanelName, (series: StoreSeries) => TimePlot | undefined>> = {
	operations({operations}) {
		if (!operations) return undefined;
		const {firstStart, step} = operations;
		const series = [...groupKinds(operations)].map(([name, values]) => ({name, values}));
		return {series, firstStart, step, unit: 'count', form: 'columns'};
	},
	latency({latency}) {
		if (!latency || latency.quantiles.size === 0) return undefined;
		const {firstStart, step, quantiles} = latency;
		const series = drawnQuantiles.map(name => ({name, values: quantiles.get(name) ?? []}));
		return {series, firstStart, step, unit: 'milliseconds'};
	},
	keys: ({storage}) =>
		storage && {...pickTimeAxis(storage), unit: 'count', series: [{name: 'keys', values: storage.keys}]},
	bytes: ({storage}) =>
		storage && {...pickTimeAxis(storage), unit: 'bytes', series: [{name: 'bytes', values: storage.bytes}]},
};

const pickTimeAxis = ({firstStart, step}: Pick<TimePlot, 'firstStart' | 'step'>) => ({firstStart, step});

/** Groups operations into the four known kinds and `other`. */
function groupKinds({kinds}: NonNullable<StoreSeries['operations']>): ReadonlyMap<string, readonly number[]> {
	const knownKinds: readonly string[] = operationKinds;
	const otherKinds = [...kinds].filter(([kind]) => !knownKinds.includes(kind));
	if (otherKinds.length < 2) return kinds;
	const [firstCounts = []] = otherKinds.map(([, values]) => values);
	const otherCounts = firstCounts.map((_, index) =>
		otherKinds.reduce((total, [, values]) => total + (values[index] ?? 0), 0),
	);
	return new Map([...[...kinds].filter(([kind]) => knownKinds.includes(kind)), ['other', otherCounts]]);
}

const factFormatters: Readonly<Record<PanelName, (series: StoreSeries) => string>> = {
	operations({operations}) {
		if (!operations) return '';
		const aboutPrefix = operations.isEstimate ? 'about ' : '';
		const sums = [...groupKinds(operations)].map(([kind, values]) => [kind, sumValues(values)] as const);
		const totalCount = sums.reduce((sum, [, count]) => sum + count, 0);
		const kinds = sums
			.filter(([, count]) => count > 0)
			.map(([kind, count]) => `${kind} ${formatFigure(count)}`);
		return [`${aboutPrefix}${formatFigure(totalCount)}`, ...(kinds.length > 1 ? kinds : [])].join('  ');
	},
	latency({latencyByKind}) {
		if (!latencyByKind) return '';
		const kinds = sortKinds(latencyByKind).flatMap(([kind, {p50, p99}]) =>
			p50 === undefined || p99 === undefined
				? []
				: `${kind} ${formatMilliseconds(p50)}/${formatMilliseconds(p99)}`,
		);
		return kinds.length > 0 ? `p50/p99 in ms  ${kinds.join('  ')}` : '';
	},
	keys: ({storage}) => formatLastAndChange(storage?.keys, formatInteger, formatInteger),
	bytes: ({storage}) => formatLastAndChange(storage?.bytes, formatShortSize, formatShortSize),
};

/** Sorts kinds of operations, known ones first. */
function sortKinds<Value>(kinds: ReadonlyMap<string, Value>): readonly (readonly [string, Value])[] {
	const knownKinds: readonly string[] = operationKinds;
	const getRank = (kind: string) =>
		knownKinds.includes(kind) ? knownKinds.indexOf(kind) : knownKinds.length;
	return [...kinds].toSorted(([one], [other]) => getRank(one) - getRank(other));
}

const sumValues = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const formatFigure = (value: number): string =>
	value < 100_000 ? formatInteger(value) : formatShortFigure(value, 'count');
const formatMilliseconds = (value: number): string => formatInteger(Math.round(value));

/** Formats the last value and its difference from the first. */
function formatLastAndChange(
	values: readonly (number | undefined)[] = [],
	formatValue: (value: number) => string,
	formatDifference: (value: number) => string,
): string {
	const measuredValues = values.filter(value => value !== undefined);
	const [firstValue] = measuredValues;
	const lastValue = measuredValues.at(-1);
	if (firstValue === undefined || lastValue === undefined) return '';
	const sign = lastValue < firstValue ? '-' : '+';
	const change =
		measuredValues.length > 1 ? `  ${sign}${formatDifference(Math.abs(lastValue - firstValue))}` : '';
	return `${formatValue(lastValue)}${change}`;
}
