/** Whether the terminal draws more than ASCII, by the locale; yes where it is not set. */
export function drawsUtf8(env: NodeJS.ProcessEnv): boolean {
	const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
	return env.TERM !== 'linux' && (!locale || /utf-?8/i.test(locale));
}
