import {Box, Text} from 'ink';
import type {ReactElement} from 'react';
import {Select} from '../../components/menu.tsx';
import {wrapParagraphs} from '../../components/paragraphs.ts';
import {usePointerRegion} from '../../components/pointer.ts';
import {useTheme} from '../../components/theme.ts';
import type {Analysis} from '../../firewall/expression/expressions.ts';
import {measureColumns, toDrawable} from '../../text/columns.ts';
import {cutEnd} from '../../text/cut.ts';
import {ExpressionText} from '../expression-editor/view.tsx';

/** An option of a menu, raw text; `unavailableReason` explains why it cannot be chosen here. */
export type RuleOption = {
	readonly value: string;
	readonly description: string;
	readonly unavailableReason?: string | undefined;
};

/** Maximum rows below a menu for a truncated option in full. */
const maxFullLines = 2;

/** Wraps a menu line that would be truncated; empty if it fits, or on screens below 9 rows. */
const wrapCutText = (text: string, columns: number, rows: number): readonly string[] =>
	measureColumns(text) <= columns - 8 || rows < 9
		? []
		: wrapParagraphs([text.replace(/ {2,}/g, '  ')], columns - 6).slice(0, maxFullLines);

/** Rows to reserve for the longest option, so that the menu does not jump. */
const countWrappedRows = (texts: readonly string[], columns: number, rows: number): number =>
	Math.max(0, ...texts.map(text => wrapCutText(text, columns, rows).length));

const describeOption = ({description, unavailableReason}: RuleOption): string =>
	unavailableReason === undefined ? description : `unavailable: ${unavailableReason}`;

/** The actions of a rule, below its expression. Actions that the plan lacks are dim, with the reason. */
export function ActionMenu({
	analysis,
	items,
	currentAction,
	columns,
	rows,
	onPoint,
	onSelect,
}: {
	readonly analysis: Analysis;
	readonly items: readonly RuleOption[];
	/** The action under the cursor, or chosen before. */
	readonly currentAction: string | undefined;
	readonly columns: number;
	readonly rows: number;
	onPoint(value: string): void;
	onSelect(value: string): void;
}): ReactElement {
	const texts = items.map(item => toDrawable(`${item.value.padEnd(18)}  ${describeOption(item)}`));
	const expressionRows = rows >= 13 ? 2 : 1;
	const currentIndex = Math.max(
		0,
		items.findIndex(({value}) => value === currentAction),
	);
	const fullLines = wrapCutText(texts[currentIndex] ?? '', columns, rows);
	return (
		<Box flexDirection="column">
			<ExpressionText analysis={analysis} columns={columns} rows={expressionRows} />
			<Box height={1} flexShrink={0} />
			<Box paddingLeft={2} flexDirection="column">
				<Select
					limit={Math.max(
						2,
						Math.min(items.length, rows - expressionRows - 1 - countWrappedRows(texts, columns, rows)),
					)}
					items={items.map(({value, unavailableReason}, index) => ({
						label: cutEnd(texts[index] ?? '', columns - 8),
						value,
						isDim: unavailableReason !== undefined,
					}))}
					initialIndex={currentIndex}
					onHighlight={({value}) => onPoint(value)}
					item={ActionItem}
					onSelect={({value}) => onSelect(value)}
				/>
			</Box>
			<FullText lines={fullLines} />
		</Box>
	);
}

function ActionItem({
	label,
	isSelected = false,
	isDim = false,
}: {
	readonly label: string;
	readonly isSelected?: boolean | undefined;
	readonly isDim?: boolean | undefined;
}): ReactElement {
	const {current, dim} = useTheme();
	const box = usePointerRegion({kind: 'entry', isSelected});
	return (
		<Box ref={box}>
			<Text {...(isDim ? dim : isSelected ? current : {})} wrap="truncate">
				{label}
			</Text>
		</Box>
	);
}

function FullText({lines}: {readonly lines: readonly string[]}): ReactElement {
	const {dim} = useTheme();
	return (
		<>
			{lines.map(line => (
				<Text key={line} {...dim} wrap="truncate">
					{`   ${line}`}
				</Text>
			))}
		</>
	);
}

/** A list of options; any number of them can be selected. */
export function MultiSelect({
	title,
	items,
	chosenValues,
	cursor,
	columns,
	rows,
}: {
	readonly title: string;
	readonly items: readonly RuleOption[];
	readonly chosenValues: readonly string[];
	readonly cursor: number;
	readonly columns: number;
	readonly rows: number;
}): ReactElement {
	const {current, dim, marks} = useTheme();
	const valueWidth = Math.max(...items.map(({value}) => value.length));
	const texts = items.map(item => toDrawable(`${item.value.padEnd(valueWidth)}  ${describeOption(item)}`));
	const fullLines = wrapCutText(texts[cursor] ?? '', columns, rows);
	const height = Math.min(items.length, rows - 2 - countWrappedRows(texts, columns, rows));
	const top = Math.max(0, Math.min(cursor - height + 1, items.length - height));
	const box = usePointerRegion({kind: 'rows', first: top, visibleCount: height, cursor});
	return (
		<Box flexDirection="column">
			<Text {...dim}>{`   ${title}`}</Text>
			<Box height={1} flexShrink={0} />
			<Box ref={box} flexDirection="column">
				{items.slice(top, top + height).map(({value, unavailableReason}, slot) => {
					const isCurrent = top + slot === cursor;
					return (
						<Text
							key={value}
							wrap="truncate"
							{...(unavailableReason === undefined ? (isCurrent ? current : {}) : dim)}
						>
							{cutEnd(
								` ${isCurrent ? marks.current : ' '} [${chosenValues.includes(value) ? 'x' : ' '}] ${texts[top + slot] ?? ''}`,
								columns - 2,
							)}
						</Text>
					);
				})}
			</Box>
			<FullText lines={fullLines} />
		</Box>
	);
}
