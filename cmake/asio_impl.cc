// The compiled half of Asio and Beast, once, so that nothing else pays for it.
#include <boost/asio/impl/src.hpp>
#include <boost/asio/ssl/impl/src.hpp>
#include <boost/beast/src.hpp>
