import stringWidth from 'string-width';

/** The rows of a screen in a frame, as they stand in the message of a test that failed. */
export function framed(lines: readonly string[], columns: number, title: string): string {
	const top = `╭─ ${title} ${'─'.repeat(Math.max(0, columns - stringWidth(title) - 3))}╮`;
	const body = lines.map(line => `│${line}${' '.repeat(Math.max(0, columns - stringWidth(line)))}│`);
	return [top, ...body, `╰${'─'.repeat(columns)}╯`].join('\n');
}

/** The last bytes of an output, with everything that does something to a terminal written out. */
export function lastBytes(output: string, most = 200): string {
	const written = JSON.stringify(output.slice(-most)).replace(
		/[\u007f-\u009f]/g,
		control => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
	return output.length > most ? `… ${written}` : written;
}
