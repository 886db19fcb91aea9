import {Text} from 'ink';
import {memo, type ReactElement, useEffect, useState} from 'react';
import {useTheme} from '../../components/theme.ts';
import {expiryText} from '../../kv/change/lifetime-input.ts';
import {unixSeconds} from '../../kv/limits.ts';
import {type About, aboutLine, untilNextText} from './about.ts';

const soon = 300;

/** The line above a value: form, size, expiry counting down, metadata. */
export const AboutLine = memo(({columns, ...about}: About & {readonly columns: number}): ReactElement => {
	const {warning, marks} = useTheme();
	const {expiration} = about;
	const now = useCountDown(expiration);
	const isSoon = expiration !== undefined && expiration - now < soon;
	return (
		<Text wrap="truncate" {...(isSoon ? warning : {})}>
			{` ${isSoon ? marks.warning : ' '} ${aboutLine(about, now, columns - 4, marks.dot)}`}
		</Text>
	);
});

/** Returns the current UNIX seconds, updated only when the text of the expiry changes. */
function useCountDown(expiration: number | undefined): number {
	const [now, setNow] = useState(() => unixSeconds(Date.now()));
	useEffect(() => {
		if (expiration === undefined) return;
		let timer: NodeJS.Timeout | undefined;
		const tick = () => {
			const next = unixSeconds(Date.now());
			setNow(shown => (expiryText(expiration, next) === expiryText(expiration, shown) ? shown : next));
			const milliseconds = untilNextText(expiration, next);
			if (milliseconds !== undefined) timer = setTimeout(tick, milliseconds);
		};
		tick();
		return () => clearTimeout(timer);
	}, [expiration]);
	return now;
}
