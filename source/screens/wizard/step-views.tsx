import {Box, Text} from 'ink';
import SelectInput from 'ink-select-input';
import {type ReactElement, useState} from 'react';
import {Field} from '../../components/field.tsx';
import {MenuMark} from '../../components/menu.tsx';
import {linesOf} from '../../components/paragraphs.ts';
import {useTheme} from '../../components/theme.ts';
import {products} from '../../firewall/rules/rule.ts';
import type {TextBuffer} from '../../text/buffer/buffer.ts';
import {textOf} from '../../text/buffer/buffer.ts';
import {columnsOf, drawable} from '../../text/columns.ts';
import {cutEnd, fitted} from '../../text/cut.ts';
import {ExpressionText} from '../expression-editor/view.tsx';
import {useApp} from '../shell/use-ledge.ts';
import {neighboursOf, whyNotAction, whyNotProduct} from './draft.ts';
import {
	type AboutRow,
	aboutRows,
	analysisHere,
	isAction,
	isOfRule,
	priorityOf,
	type Wizard,
} from './state.ts';
import {aboutActions, aboutProducts, offeredActions, ruleInShort} from './words.ts';

type StepProps = {readonly wizard: Wizard; readonly columns: number; readonly rows: number};

/** The filter that is there, as it is: a rule that is made or changed never changes it. */
export function FilterStep({wizard, columns, rows}: StepProps): ReactElement {
	const {dim} = useTheme();
	return (
		<Box flexDirection="column">
			<Text {...dim}>{`   filter ${drawable(wizard.filter?.id ?? '')}, which exists already`}</Text>
			<Box height={1} />
			<ExpressionText analysis={analysisHere(wizard)} columns={columns} rows={rows - 4} />
			<Box height={1} />
			<Text {...dim}>{`   It stays as it is: the rule will refer to it.`}</Text>
		</Box>
	);
}

/** What a matching request meets; what the plan lacks is dim, with the reason. */
export function ActionStep({wizard, columns, rows}: StepProps): ReactElement {
	const app = useApp();
	const {dim} = useTheme();
	const [at, setAt] = useState<number>();
	const items = actionItems(wizard, columns);
	if (wizard.product !== undefined) return <Products wizard={wizard} columns={columns} rows={rows} />;
	const shown = rows >= 13 ? 2 : 1;
	const first = Math.max(
		0,
		items.findIndex(({value}) => value === wizard.action),
	);
	const whole = wholeOf(items[at ?? first]?.whole ?? '', columns, rows);
	return (
		<Box flexDirection="column">
			<ExpressionText analysis={analysisHere(wizard)} columns={columns} rows={shown} />
			<Box height={1} flexShrink={0} />
			<Box paddingLeft={2} flexDirection="column">
				<SelectInput
					limit={Math.max(2, Math.min(items.length, rows - shown - 1 - wholeRows(items, columns, rows)))}
					items={items}
					initialIndex={first}
					onHighlight={({value}) => setAt(items.findIndex(item => item.value === value))}
					indicatorComponent={MenuMark}
					itemComponent={ActionItem}
					onSelect={({value}) => app.state().chooseAction(value)}
				/>
			</Box>
			{whole.map(line => (
				<Text key={line} {...dim} wrap="truncate">
					{`   ${line}`}
				</Text>
			))}
		</Box>
	);
}

/** Rows below a menu for what its lines have no room for. */
const mostWhole = 2;

/** What the line of a menu cuts, whole, where the screen has room for it; nothing where it is not cut. */
const wholeOf = (text: string, columns: number, rows: number): readonly string[] =>
	columnsOf(text) <= columns - 8 || rows < 9
		? []
		: linesOf([text.replace(/ {2,}/g, '  ')], columns - 6).slice(0, mostWhole);

/** The rows that the longest of them needs, so that the menu does not move. */
const wholeRows = (items: readonly {readonly whole: string}[], columns: number, rows: number): number =>
	Math.max(0, ...items.map(({whole}) => wholeOf(whole, columns, rows).length));

/** Comes before the reason why an action cannot be chosen. */
const notHere = '  not here: ';

/** The actions; of a rule that is changed its own one first, which ledge need not know and the plan may lack. */
function actionItems(
	wizard: Wizard,
	columns: number,
): {label: string; value: string; key: string; whole: string}[] {
	const {purpose} = wizard;
	const own = purpose.kind === 'change rule' ? purpose.rule.action : undefined;
	const item = (value: string, about: string) => {
		const whole = drawable(`${value.padEnd(18)}${about}`);
		return {label: cutEnd(whole, columns - 8), value, key: value, whole};
	};
	const others = offeredActions
		.filter(value => value !== own)
		.map(value => {
			const why = whyNotAction(wizard, value);
			return item(value, why === undefined ? `  ${aboutActions[value]}` : `${notHere}${why}`);
		});
	if (own === undefined) return others;
	const about = isAction(own) ? aboutActions[own] : 'an action that ledge does not know';
	return [item(own, `  as it is: ${about}`), ...others];
}

function ActionItem({
	label,
	isSelected = false,
}: {
	readonly label: string;
	readonly isSelected?: boolean | undefined;
}): ReactElement {
	const {here, dim} = useTheme();
	return (
		<Text {...(label.includes(notHere) ? dim : isSelected ? here : {})} wrap="truncate">
			{label}
		</Text>
	);
}

function Products({wizard, columns, rows}: StepProps): ReactElement {
	const {here, dim, marks} = useTheme();
	const cursor = wizard.product ?? 0;
	const whys = products.map(product => whyNotProduct(wizard, product));
	const abouts = products.map((product, index) => {
		const why = whys[index];
		return {
			whole: `${product.padEnd(14)}  ${why === undefined ? aboutProducts[product] : `not here: ${why}`}`,
		};
	});
	const whole = wholeOf(abouts[cursor]?.whole ?? '', columns, rows);
	const height = Math.min(products.length, rows - 2 - wholeRows(abouts, columns, rows));
	const top = Math.max(0, Math.min(cursor - height + 1, products.length - height));
	return (
		<Box flexDirection="column">
			<Text {...dim}>{'   What the request goes around; space chooses.'}</Text>
			<Box height={1} flexShrink={0} />
			{products.slice(top, top + height).map((product, slot) => {
				const isHere = top + slot === cursor;
				const why = whys[top + slot];
				const isChosen = wizard.products.includes(product);
				return (
					<Text key={product} wrap="truncate" {...(why === undefined ? (isHere ? here : {}) : dim)}>
						{cutEnd(
							` ${isHere ? marks.here : ' '} [${isChosen ? 'x' : ' '}] ${abouts[top + slot]?.whole ?? ''}`,
							columns - 2,
						)}
					</Text>
				);
			})}
			{whole.map(line => (
				<Text key={line} {...dim} wrap="truncate">
					{`   ${line}`}
				</Text>
			))}
		</Box>
	);
}

/** Priority, description, and whether it starts paused; for a rule, between which others it would stand. */
export function AboutStep({wizard, columns, rows}: StepProps): ReactElement {
	const {dim, warning, marks} = useTheme();
	const {about} = wizard;
	const priority = priorityOf(wizard);
	const problem = typeof priority === 'object' && priority !== null ? priority.problem : undefined;
	const hints: Readonly<Record<AboutRow, string>> = {
		priority: 'smaller goes first; empty is none, which goes last',
		description: `${[...textOf(about.description)].length} of 500 characters`,
		paused: 'space changes it',
	};
	const lines = aboutRows(wizard);
	return (
		<Box flexDirection="column">
			{lines.map(row => (
				<AboutLine
					key={row}
					name={row}
					isHere={about.row === row}
					columns={columns}
					value={
						row === 'paused'
							? about.paused
								? 'yes: it does nothing yet'
								: 'no: it works at once'
							: about[row]
					}
				/>
			))}
			<Text {...(problem ? warning : dim)} wrap="truncate">
				{linesOf([problem ? `${marks.failed} ${problem}` : `${hints[about.row]}`], columns - 6, 2)
					.slice(0, 2)
					.map(line => `   ${line}`)
					.join('\n')}
			</Text>
			{isOfRule(wizard) && !problem && (
				<Order wizard={wizard} columns={columns} rows={rows - lines.length - 2} />
			)}
		</Box>
	);
}

function AboutLine({
	name,
	value,
	isHere,
	columns,
}: {
	readonly name: string;
	readonly value: string | TextBuffer;
	readonly isHere: boolean;
	readonly columns: number;
}): ReactElement {
	const {here, marks} = useTheme();
	return (
		<Box height={1}>
			<Text {...(isHere ? here : {})}>{` ${isHere ? marks.here : ' '} ${name.padEnd(13)}`}</Text>
			{typeof value === 'string' ? (
				<Text {...(isHere ? here : {})}>{value}</Text>
			) : isHere ? (
				<Field buffer={value} columns={columns - 20} />
			) : (
				<Text wrap="truncate">{cutEnd(drawable(textOf(value)), columns - 20) || marks.none}</Text>
			)}
		</Box>
	);
}

/** Its place among the rules that are there. */
function Order({wizard, columns, rows}: StepProps): ReactElement | null {
	const {here, dim, marks} = useTheme();
	const {before, after, place, of} = neighboursOf(wizard);
	if (rows < 4) return null;
	const width = columns - 22;
	const line = (text: string) => fitted(cutEnd(drawable(text), width), 0) || cutEnd(drawable(text), width);
	return (
		<Box flexDirection="column" paddingTop={1}>
			<Text
				{...dim}
			>{`   before it    ${before ? line(ruleInShort(before)) : `${marks.none} it is the first`}`}</Text>
			<Text {...here} wrap="truncate">
				{` ${marks.here} this rule    ${line(`${wizard.action ?? ''}   number ${place} of ${of}`)}`}
			</Text>
			<Text
				{...dim}
			>{`   after it     ${after ? line(ruleInShort(after)) : `${marks.none} it is the last`}`}</Text>
		</Box>
	);
}
