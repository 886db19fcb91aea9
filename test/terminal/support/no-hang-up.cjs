// Keeps a program from hearing SIGHUP, as under a parent that keeps the signal to itself.
const {prependListener} = process;
process.prependListener = function (event, listener) {
	return event === 'SIGHUP' ? this : prependListener.call(this, event, listener);
};
process.on('SIGHUP', () => {});
