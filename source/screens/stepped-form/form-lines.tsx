import {Box, Text} from 'ink';
import type {ReactElement} from 'react';
import {InputField} from '../../components/field.tsx';
import {useTheme} from '../../components/theme.ts';
import type {TextBuffer} from '../../text/buffer/buffer.ts';
import {getBufferText} from '../../text/buffer/buffer.ts';
import {toDrawable} from '../../text/columns.ts';
import {cutEnd} from '../../text/cut.ts';

/** A line of a form: editable text, or a value that space switches. */
export function FormLine({
	name,
	value,
	isCurrent,
	columns,
}: {
	readonly name: string;
	readonly value: string | TextBuffer;
	readonly isCurrent: boolean;
	readonly columns: number;
}): ReactElement {
	const {current, marks} = useTheme();
	return (
		<Box height={1}>
			<Text {...(isCurrent ? current : {})}>{` ${isCurrent ? marks.current : ' '} ${name.padEnd(13)}`}</Text>
			{typeof value === 'string' ? (
				<Text {...(isCurrent ? current : {})} wrap="truncate">
					{value}
				</Text>
			) : isCurrent ? (
				<InputField buffer={value} columns={columns - 20} />
			) : (
				<Text wrap="truncate">{cutEnd(toDrawable(getBufferText(value)), columns - 20) || marks.none}</Text>
			)}
		</Box>
	);
}

/** The rule between its neighbours in the order of evaluation, one line each. */
export function OrderLines({
	previous,
	rule,
	next,
	columns,
}: {
	/** Undefined if the rule is first (`previous`) or last (`next`). */
	readonly previous: string | undefined;
	readonly rule: string;
	readonly next: string | undefined;
	readonly columns: number;
}): ReactElement {
	const {current, dim, marks} = useTheme();
	const cutLine = (text: string) => cutEnd(toDrawable(text), columns - 22);
	return (
		<Box flexDirection="column" paddingTop={1}>
			<Text
				{...dim}
			>{`   before it    ${previous === undefined ? `${marks.none} this rule is first` : cutLine(previous)}`}</Text>
			<Text {...current} wrap="truncate">
				{` ${marks.current} this rule    ${cutLine(rule)}`}
			</Text>
			<Text
				{...dim}
			>{`   after it     ${next === undefined ? `${marks.none} this rule is last` : cutLine(next)}`}</Text>
		</Box>
	);
}
