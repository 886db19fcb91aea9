import {Text} from 'ink';
import {memo, type ReactElement, useEffect, useState} from 'react';
import {useTheme} from '../../components/theme.ts';
import {formatExpiry} from '../../kv/change/lifetime-input.ts';
import {toEpochSeconds} from '../../kv/limits.ts';
import {computeNextTextDelay, formatSummaryLine, type ValueSummary} from './about.ts';

/** An expiry within this many seconds is highlighted. */
const expiryWarningSeconds = 300;

/** The line above a value: form, size, expiry counting down, metadata. */
export const AboutLine = memo(
	({columns, ...summary}: ValueSummary & {readonly columns: number}): ReactElement => {
		const {warning, marks} = useTheme();
		const {expiration} = summary;
		const now = useCountDown(expiration);
		const isSoon = expiration !== undefined && expiration - now < expiryWarningSeconds;
		return (
			<Text wrap="truncate" {...(isSoon ? warning : {})}>
				{` ${isSoon ? marks.warning : ' '} ${formatSummaryLine(summary, now, columns - 4, marks.dot)}`}
			</Text>
		);
	},
);

/** Returns the current UNIX seconds, updated only when the text of the expiry changes. */
function useCountDown(expiration: number | undefined): number {
	const [now, setNow] = useState(() => toEpochSeconds(Date.now()));
	useEffect(() => {
		if (expiration === undefined) return;
		let timer: NodeJS.Timeout | undefined;
		const tick = () => {
			const next = toEpochSeconds(Date.now());
			setNow(current =>
				formatExpiry(expiration, next) === formatExpiry(expiration, current) ? current : next,
			);
			const delayMs = computeNextTextDelay(expiration, next);
			if (delayMs !== undefined) timer = setTimeout(tick, delayMs);
		};
		tick();
		return () => clearTimeout(timer);
	}, [expiration]);
	return now;
}
